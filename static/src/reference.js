// The API to read and to try: Swagger UI, in the colours of the studio, with the session of the browser.
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";

const place = document.querySelector("[data-schema]");
const system = matchMedia("(prefers-color-scheme: dark)");
const { "X-CSRFToken": token } = JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");

function follow() {
  const chosen = document.documentElement.dataset.theme;
  document.documentElement.classList.toggle("dark-mode", chosen ? chosen === "dark" : system.matches);
}

follow();
system.addEventListener("change", follow);
document.addEventListener("packwright:theme", follow);

SwaggerUI({
  domNode: place,
  url: place.dataset.schema,
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  filter: true,
  // It would send the address of the studio to a foreign host.
  validatorUrl: null,
  requestInterceptor: (request) => {
    request.headers["X-CSRFToken"] = token;
    return request;
  },
});
