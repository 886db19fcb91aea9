/** Where a command acts: on the service, or on locally persisted data. */
export type Target = 'local' | 'remote';
