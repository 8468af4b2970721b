"""Forms of documents: built from (JSON Schema, document, findings), read back without losing anything.

`building.build` makes the tree of fields that the templates draw, `encoding.decode` reads what a browser submits back
into a document, `conversions` and `arranging` are the acts of the buttons between the two.
"""
