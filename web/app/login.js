// The sign-in form. It works without the rest of the app: whoever is not signed in loads nothing else.

import { at } from "./base.js";
import { safeReturn, signIn } from "./session.js";

const form = document.getElementById("sign-in");
const words = document.getElementById("why-not");
const button = form.querySelector("button");
const wanted = new URL(location.href).searchParams.get("callbackUrl") ?? at("");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  words.textContent = "";
  const { username, password } = form.elements;
  let why;
  try {
    why = await signIn(username.value.trim(), password.value, wanted);
  } catch {
    why = "Couldn't reach OpenTask. Check the connection, then try again.";
  }
  if (why === null) {
    location.assign(safeReturn(wanted));
    return;
  }
  button.setAttribute("aria-disabled", "false");
  words.textContent = why;
  password.select();
});
