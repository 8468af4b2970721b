// The page says that the session has ended; it stays as it is; it goes on once somebody has signed in again.
const notice = () => document.getElementById("signed-out");

/**
 * Ask the server; a session that has ended is shown on the page.
 * @param {string} address
 * @param {RequestInit} options
 */
export async function ask(address, options = {}) {
  const response = await fetch(address, { ...options, headers: { "X-Requested-With": "fetch" } });
  note(response.status);
  return response;
}

// Signing in gives a browser a new token; forms drawn before it would be refused. False where the page cannot be had, or
// somebody else signed in.
export async function renew() {
  const response = await ask(window.location.href);
  if (!response.ok) return false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const token = page.querySelector("[name=csrfmiddlewaretoken]")?.value;
  if (!token || page.body.dataset.person !== document.body.dataset.person) return false;
  for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = token;
  document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": token }));
  return true;
}

/** Send a form; once more where its page is older than the session. The page may have replaced the button meanwhile. */
export async function send(form, submitter) {
  const post = () => {
    const body = new FormData(form);
    if (submitter?.name) body.append(submitter.name, submitter.value);
    return ask(form.getAttribute("action"), { method: "POST", body });
  };
  let response = await post();
  if (response.status === 403 && (await renew())) response = await post();
  return { response, page: new DOMParser().parseFromString(await response.text(), "text/html") };
}

function note(status) {
  const shown = notice();
  if (!shown) return;
  if (status === 401 && shown.hidden) {
    const link = shown.querySelector("a");
    link.search = new URLSearchParams({ next: window.location.pathname + window.location.search });
    shown.hidden = false;
  } else if (status === 200 && !shown.hidden) {
    shown.hidden = true;
    renew().catch(() => {});
  }
}

document.addEventListener("htmx:afterRequest", (event) => note(event.detail.xhr.status));
