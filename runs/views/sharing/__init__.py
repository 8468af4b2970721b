"""What people outside of a team may see: pages and pictures behind links."""
