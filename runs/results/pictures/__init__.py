"""Pictures of results as SVG, drawn from the values that pages show. They need no style sheet and no script."""
