import { createContext } from 'react';

/** Name at the end of the titles of pages: that of the program in the portal, otherwise that of the service. */
export const SiteName = createContext('Affiliate');
