// Preact and htm in one file, unpacked by web/unpack-vendor.py. An import map would be an inline script, which
// the Content-Security-Policy forbids; so this is the one place that names the file.

export {
  html,
  render,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "../vendor/preact-10.27.2-htm-3.1.1.min.js";
