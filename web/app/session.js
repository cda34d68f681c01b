// Signing in and out. These answers have no envelope (api.md A5-A9).

import { at, base } from "./base.js";

/** Leaves for the sign-in page, which comes back to this very address (clients C.1). */
export function goToLogin() {
  const here = location.pathname + location.search;
  location.assign(`${at("login")}?callbackUrl=${encodeURIComponent(here)}`);
}

async function csrfToken() {
  const response = await fetch(at("api/auth/csrf"));
  return (await response.json()).csrfToken;
}

/**
 * Tries a name and a password. Null means signed in; else a sentence that says why not.
 * Throws when the server cannot be reached.
 */
export async function signIn(username, password, callbackUrl) {
  const response = await fetch(at("api/auth/callback/credentials"), {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      username, password, callbackUrl, csrfToken: await csrfToken(), json: "true",
    }),
  });
  if (response.status === 429) {
    const seconds = Number(response.headers.get("Retry-After"));
    return seconds > 0
      ? `Too many tries. Try again in ${seconds} seconds.`
      : "Too many tries. Wait a moment, then try again.";
  }
  // A refusal comes as the address of the sign-in page with a word in it; a proxy's answer is no JSON.
  const answer = await response.json().catch(() => null);
  const error = answer && new URL(answer.url, base).searchParams.get("error");
  if (error === "CredentialsSignin") return "This name and password do not match.";
  if (error === "MissingCSRF") return "Signing in needs cookies. Allow them for this site, then try again.";
  return response.ok && !error ? null : "OpenTask could not sign you in just now.";
}

/** Ends the session of this browser. */
export async function signOut() {
  await fetch(at("api/auth/signout"), {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ csrfToken: await csrfToken(), json: "true" }),
  });
}

/** The address to go to after signing in: `wanted` if it is on this host, else the app's root. */
export function safeReturn(wanted) {
  try {
    const url = new URL(wanted, base);
    return url.origin === base.origin ? url.href : base.href;
  } catch {
    return base.href;
  }
}
