// The texts of what stands around every screen.
export const words = {
  lost: "You are offline. What you see may be out of date.",
  broken: "Something went wrong on this screen",
  missing: "This part could not be loaded. Check your connection.",
  missingDialog: "Failed to open. Check your connection and try again.",
  retry: "Retry",
} as const;
