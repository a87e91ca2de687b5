import { createContext } from "react";

/** Opens the drawer with the conversations. */
export const SidebarContext = createContext<() => void>(() => undefined);
