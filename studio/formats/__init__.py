"""How dates read where no template says it otherwise: in curation."""
