// The workbench page: fields save themselves, the lenses follow, keys. Without this script the form saves as a whole.
import "./workbench/fields.js";
import "./workbench/travel.js";
import "./workbench/yaml.js";
