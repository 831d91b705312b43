// The built package contains the module itself instead of this import.
export * from '@affiliate/client/portal-frame';
