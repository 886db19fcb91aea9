import {createContext} from 'react';

/** True below a popup: covered components get no keys or clicks. */
export const CoveredContext = createContext(false);
