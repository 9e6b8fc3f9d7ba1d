// What a browser is called.
import { spoken } from "./tongue";

export const words = spoken({ browserOn: (browser: string, system: string) => `${browser} on ${system}` });
