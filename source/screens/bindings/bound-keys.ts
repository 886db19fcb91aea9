import type {KeySetting} from '../../settings/preferences/preferences.ts';
import type {Action} from '../shell/app.ts';
import {isMenuAction, isReservedKey} from './fixed-keys.ts';
import type {SharedMeaning} from './shared-meanings.ts';

/** What gave an action a key: the program, a preset, or a line of the file. */
export type KeyOrigin =
	| {readonly kind: 'default' | 'preset'}
	| {readonly kind: 'user'; readonly setting: KeySetting};

export type BoundKey = {readonly name: string; readonly origin: KeyOrigin};

const byDefault: KeyOrigin = {kind: 'default'};

/** The keys of one action while settings are applied. */
export class BoundKeys {
	readonly action: Action;
	/** Why its keys cannot be changed. */
	readonly fixedReason: string | undefined;
	#isChanged = false;
	/** The keys in place of each default key. */
	readonly #slots: Map<string, readonly BoundKey[]>;
	/** The keys in place of all default keys. */
	#replacement: readonly BoundKey[] | undefined;
	readonly #lostKeys = new Set<string>();

	constructor(action: Action, fixedReason: string | undefined) {
		this.action = action;
		this.fixedReason = fixedReason;
		this.#slots = new Map(action.keys.map(name => [name, [{name, origin: byDefault}]]));
	}

	/** The keys in order, without those lost to other actions. */
	list(): readonly BoundKey[] {
		if (!this.#isChanged) return this.action.keys.map(name => ({name, origin: byDefault}));
		const reservedSlots = this.action.keys.filter(isReservedKey).map(name => ({name, origin: byDefault}));
		const keys = this.#replacement
			? [...this.#replacement, ...reservedSlots]
			: [...this.#slots.values()].flat();
		return keys.filter(
			({name}, index) => !this.#lostKeys.has(name) && keys.findIndex(other => other.name === name) === index,
		);
	}

	replaceAll(keys: readonly BoundKey[]): void {
		this.#isChanged = true;
		this.#replacement = keys;
	}

	/**
	 * Replaces the default keys of a shared meaning. Reserved keys stay; in menus the arrows and enter too. A
	 * default key of the meaning is no new key: actions without it do not get it.
	 */
	replaceMeaning(meaning: SharedMeaning, keys: readonly BoundKey[]): void {
		this.#isChanged = true;
		this.#replacement = undefined;
		const ownKeys = meaning.keys.filter(key => this.#slots.has(key));
		const newKeys = keys.filter(({name}) => !meaning.keys.includes(name) || ownKeys.includes(name));
		const stays = (key: string) =>
			isReservedKey(key) || (isMenuAction(this.action) && ['enter', 'up', 'down'].includes(key));
		for (const [index, key] of ownKeys.entries()) {
			const keptKeys = stays(key) ? [{name: key, origin: byDefault}] : [];
			this.#slots.set(key, index === 0 ? [...newKeys, ...keptKeys] : keptKeys);
		}
	}

	lose(name: string): void {
		this.#isChanged = true;
		this.#lostKeys.add(name);
	}

	/** Returns the default key whose place a key has taken; itself if none. */
	findDefaultKey(name: string): string {
		for (const [key, bound] of this.#slots) if (bound.some(one => one.name === name)) return key;
		return name;
	}
}
