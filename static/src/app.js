import "idiomorph/dist/idiomorph-ext.js";
import "./shell/fragments.js";
import "./shell/theme.js";
import "./shell/menus.js";
import "./shell/dialogs.js";
import "./shell/toasts.js";
import "./shell/copy.js";
import "./shell/drop.js";
import "./shell/rows.js";
import "./shell/sending.js";
import "./shell/session.js";
import "./shell/sideways.js";
import "./shell/submitting.js";
import "./shell/typing.js";
import "./shell/unsaved/offers.js";
import "./shell/palette.js";
import "./shell/keys.js";

document.documentElement.classList.add("js");
