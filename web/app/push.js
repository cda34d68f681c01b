// Notifications of this browser: Web Push by the service worker (api.md A81-A84).

import * as api from "./api.js";
import { at } from "./base.js";

/** Starts the service worker, if the browser has such a thing. Null otherwise. */
export async function startWorker() {
  if (!("serviceWorker" in navigator)) return null;
  return navigator.serviceWorker.register(at("sw.js")).catch(() => null);
}

/** VAPID keys travel as base64url (RFC 8292); the browser wants bytes. */
function bytes(base64url) {
  const text = atob(base64url.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

const isApplePhone = () => /iPhone|iPad/.test(navigator.userAgent);

/** Why this browser cannot, in words; null when it can. */
function hindrance() {
  if (!window.isSecureContext) {
    return "Notifications need an https address (or this machine's own). Open OpenTask by https to use them.";
  }
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    return isApplePhone()
      ? "Add OpenTask to the home screen first, open it from there, then enable notifications."
      : "This browser cannot receive notifications.";
  }
  if (Notification.permission === "denied") {
    return "Notifications are blocked for this address. Allow them in the browser's settings for this site.";
  }
  return null;
}

const subscription = async () => (await navigator.serviceWorker.ready).pushManager.getSubscription();

/** `{state: "on" | "off" | "unavailable", words}`: how notifications stand in this browser. */
export async function pushState() {
  const words = hindrance();
  if (words) return { state: "unavailable", words };
  const { configured } = await api.get("api/push/vapid-key");
  if (!configured) {
    return { state: "unavailable", words: "This server has no keys for notifications yet: see `opentask vapid`." };
  }
  if (Notification.permission === "granted" && (await subscription())) {
    return { state: "on", words: "This browser tells you when a target arrives." };
  }
  return { state: "off", words: "Get a notification in this browser when a target arrives." };
}

/** Asks the person, subscribes, tells the server. Throws an error whose message is a sentence. */
export async function enablePush() {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") {
    throw new Error(hindrance() ?? "Notifications stay off: the browser was not given the permission.");
  }
  const { publicKey } = await api.get("api/push/vapid-key");
  const worker = await navigator.serviceWorker.ready;
  let made;
  try {
    made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(publicKey) });
  } catch (error) {
    // An old subscription with another server's key is in the way.
    const old = error.name === "InvalidStateError" ? await worker.pushManager.getSubscription() : null;
    if (!old) throw new Error("The browser's push service could not be reached. Try again later.");
    await old.unsubscribe();
    return enablePush();
  }
  await api.post("api/push/subscribe", made.toJSON());
  return undefined;
}

/** Ends the notifications of this browser. Safe to call when there are none. */
export async function disablePush() {
  if (hindrance()) return;
  const worker = await navigator.serviceWorker.getRegistration(at(""));
  const made = await worker?.pushManager.getSubscription();
  if (!made) return;
  await api.remove("api/push/subscribe", { endpoint: made.endpoint });
  await made.unsubscribe();
}

/** Sends a notification to this browser. A sentence that says whether it went out. */
export async function testPush() {
  const made = await subscription();
  const { sent, reason } = await api.post("api/push/test", { endpoint: made.endpoint });
  return sent ? "A test notification is on its way." : reason ?? "No test notification was sent.";
}
