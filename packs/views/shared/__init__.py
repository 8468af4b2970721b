"""What the pages of packs share: the pack of an address, its tabs, and pages that htmx replaces in part."""
