import {createContext} from 'react';

/** True for what a popup is drawn over: it gets neither keys nor clicks. */
export const CoveredContext = createContext(false);
