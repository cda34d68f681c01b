// Calls to the server: the session cookie goes along by itself, the envelope comes off (api.md 1.3).

import { at } from "./base.js";
import { goToLogin } from "./session.js";

/** A call that was refused or did not arrive. `message` is a sentence for the person. */
export class Refusal extends Error {
  /** `status` is the HTTP status, or 0 when there was no answer. */
  constructor(message, status, details = null) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

// Longer than any call of this page takes; without it a dead connection would hold up the queue for ever.
const patience_ms = 15_000;

async function call(method, path, body) {
  let response;
  try {
    response = await fetch(at(path), {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(patience_ms),
    });
  } catch {
    throw new Refusal("Couldn't reach OpenTask", 0);
  }
  if (response.status === 401) {
    goToLogin();
    throw new Refusal("You are signed out", 401);
  }
  // A proxy that answers in the server's place sends no JSON.
  const answer = await response.json().catch(() => null);
  if (!response.ok) {
    throw new Refusal(answer?.error ?? "OpenTask could not do this just now", response.status,
      answer?.details);
  }
  return answer?.data;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
export const patch = (path, body) => call("PATCH", path, body);
export const remove = (path, body = {}) => call("DELETE", path, body);
