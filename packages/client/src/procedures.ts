/**
 * The types of all procedures. Packing the client replaces this module by generated declarations (packages/generator), so that the packed
 * client needs no types of the service.
 */
export type { AppRouter, ErrorCode, ErrorDetails } from '@affiliate/core';
