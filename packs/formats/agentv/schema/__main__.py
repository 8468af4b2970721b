"""Write the published schema of suite files to standard output."""

import sys

import orjson

from packs.formats.agentv.schema import file_schema

sys.stdout.buffer.write(orjson.dumps(file_schema(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
