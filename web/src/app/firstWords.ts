// The texts of index.html, before any script: scripts/firstPaint.ts puts them in where the page says `{{name}}`.
export const firstWords = {
  brand: "Goodturn",
  tagline: "Your community favor network",
  noScript: "Goodturn needs JavaScript to run.",
  loading: "Loading Goodturn",
  failed: "Goodturn couldn't load. Check your connection.",
  retry: "Retry",
};
