/** Mode of a key. The provider keeps live and test records apart. */
export type ProviderMode = 'live' | 'test';
