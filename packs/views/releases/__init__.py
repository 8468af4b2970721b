"""What leaves a draft: versions, exports and downloads."""
