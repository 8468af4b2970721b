// The workbench page: fields save themselves, the lenses follow, keys. Without this script the form saves as a whole.
import "./workbench/fields.js";
import "./workbench/following.js";
import "./workbench/gallery.js";
import "./workbench/here.js";
import "./workbench/recheck.js";
import "./workbench/travel.js";
import "./workbench/trying.js";
import "./workbench/whole.js";
import "./workbench/width.js";
import "./workbench/yaml.js";

// On a narrow screen the outline stands above the form: folded, so that the form comes first.
const fold = document.querySelector(".bench__fold");
if (fold && window.matchMedia("(width < 48rem)").matches) fold.open = false;

// In a long outline the node that is shown is in sight.
document.querySelector(".bench__outline [aria-current]")?.scrollIntoView({ block: "nearest" });
