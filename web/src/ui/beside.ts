// What watches over all screens, and comes beside the app, which can do without for a moment.
import { keepFocus } from "./keepFocus";
import { keepPresses } from "./presses";
import { shieldPlaces } from "./shield";

keepFocus();
keepPresses();
shieldPlaces();
