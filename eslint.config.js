import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  { files: ["static/src/**/*.js"], languageOptions: { globals: { ...globals.browser, htmx: "readonly", Idiomorph: "readonly" } } },
  { files: ["static/build.mjs", "*.js"], languageOptions: { globals: globals.node } },
  { files: ["tests/front/*.mjs"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-shadow": "error",
      "no-use-before-define": ["error", { functions: false, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
];
