"""What every endpoint shares: looking up, permissions, request bodies, pages, files and refusals."""
