// The grid of cases: cells by arrow keys, edited in place, rows ticked. Without this script every case has its page.
import "./grid/cells.js";
import "./grid/choosing.js";
import "./grid/following.js";
import "./grid/here.js";
import "./grid/pasting.js";
import "./grid/travel.js";
import "./grid/unsaved.js";
