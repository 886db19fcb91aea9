import type {Environment} from './directory.ts';
import {isSameRecent, parseRecents, type Recent} from './recent.ts';
import {readScopedFile, storeScopedFile} from './scoped-file.ts';

/** A zone, a namespace, or a namespace with a filter for a prefix, that the user has pinned. */
export type Pin = Recent;

/** Reads the pins of a service and account, in their order; empty if missing or unreadable. */
export const readPins = (environment: Environment, scope: string): readonly Pin[] =>
	parseRecents(readScopedFile(environment, {kind: 'pins', scope}));

/** Stores the pins in a file of mode 0600; none remove the file. Fails with `file_failed`. */
export const storePins = (environment: Environment, scope: string, pins: readonly Pin[]): void =>
	storeScopedFile(environment, {kind: 'pins', scope}, pins.length === 0 ? undefined : pins);

/** Adds a pin at the end, or removes it if it exists. */
export const togglePin = (pins: readonly Pin[], pin: Pin): readonly Pin[] =>
	isPinned(pins, pin) ? pins.filter(one => !isSameRecent(one, pin)) : [...pins, pin];

export const isPinned = (pins: readonly Pin[], pin: Pin): boolean => pins.some(one => isSameRecent(one, pin));
