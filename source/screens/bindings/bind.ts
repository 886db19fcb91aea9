import {createKey, createTextKey, type Key} from '../../keyboard/key.ts';
import {parseKeySetting} from '../../keyboard/key-setting.ts';
import type {KeyPreferences, KeySetting, PreferenceProblem} from '../../settings/preferences/preferences.ts';
import {formatDidYouMean} from '../../text/closest-name.ts';
import type {Action} from '../shell/app.ts';
import type {Screens} from '../shell/screen.ts';
import {type BoundKey, BoundKeys, type KeyOrigin} from './bound-keys.ts';
import {resolveConflicts} from './conflicts.ts';
import {findKeyRefusal, getFixedReason, isMenuAction} from './fixed-keys.ts';
import {keyPresets} from './presets.ts';
import {hasMeaning, sharedMeanings} from './shared-meanings.ts';

export type Bindings = {
	readonly actions: readonly Action[];
	/** Mistakes, and with `isNotice` the keys that actions lost to others. In the order of the lines. */
	readonly problems: readonly PreferenceProblem[];
};

type BindingParts = {
	readonly screens: Screens;
	/** Completes an action whose keys have changed. */
	complete(action: Action): Action;
};

/** The id of the action that a variant for forms follows. */
const getFollowedId = (id: string): string => id.replace(/-menu$/, '');

/** Lists the actions whose keys can be set by id. */
export const listChangeableActions = (actions: readonly Action[], screens: Screens): readonly Action[] =>
	listChangeable(createDrafts(actions, screens));

const createDrafts = (actions: readonly Action[], screens: Screens): readonly BoundKeys[] =>
	actions.map(action => new BoundKeys(action, getFixedReason(action, screens)));

function listChangeable(drafts: readonly BoundKeys[]): readonly Action[] {
	const ids = new Set(drafts.map(({action: {id}}) => id));
	return drafts.flatMap(({action, fixedReason}) => {
		const isVariant = action.id.endsWith('-menu') && ids.has(getFollowedId(action.id));
		return isVariant || isMenuAction(action) || fixedReason !== undefined ? [] : [action];
	});
}

/**
 * Gives actions the keys of a preset and, on top, of the file. A setting that would weaken a protection is a
 * mistake; so is one that takes a key from another setting. A key taken from a default is a notice.
 */
export function bindActions(
	actions: readonly Action[],
	{preset, settings}: KeyPreferences,
	{screens, complete}: BindingParts,
): Bindings {
	const drafts = createDrafts(actions, screens);
	const problems: PreferenceProblem[] = [];
	const bind = createBinder(drafts, screens, problems);
	const presetSettings = Object.entries(preset ? keyPresets[preset.value] : {}).map(
		([id, {keys}]): KeySetting => ({id, keys, line: 0, column: 0}),
	);
	const isShared = ({id}: KeySetting) => findMeaning(id, actions) !== undefined;
	for (const [layer, kind] of [
		[presetSettings, 'preset'],
		[settings, 'user'],
	] as const)
		for (const setting of [...layer.filter(isShared), ...layer.filter(one => !isShared(one))])
			bind(setting, kind === 'user' ? {kind, setting} : {kind});
	problems.push(...resolveConflicts(drafts, screens));
	return {
		actions: drafts.map(draft => {
			const keys = draft.list().map(({name}) => name);
			if (keys.join('\n') === draft.action.keys.join('\n')) return draft.action;
			return complete({
				...draft.action,
				keys,
				defaultKeys: draft.action.keys,
				...(isMenuAction(draft.action) && {run: translateKeys(draft)}),
			});
		}),
		problems: problems.toSorted((one, other) => one.line - other.line),
	};
}

/** Finds a shared meaning by `all.NAME`, or by its name alone if no action has this id. */
const findMeaning = (id: string, actions: readonly Pick<Action, 'id'>[]) =>
	sharedMeanings.find(
		({name}) => id === `all.${name}` || (id === name && !actions.some(action => action.id === id)),
	);

function createBinder(
	drafts: readonly BoundKeys[],
	screens: Screens,
	problems: PreferenceProblem[],
): (setting: KeySetting, origin: KeyOrigin) => void {
	const actions = drafts.map(({action}) => action);
	return (setting, origin) => {
		const {id, line, column} = setting;
		const report = (text: string) => {
			if (!problems.some(problem => problem.line === line && problem.text === text))
				problems.push({line, column, text});
		};
		const keys = setting.keys.flatMap((text): readonly BoundKey[] => {
			const parsed = parseKeySetting(text);
			if ('name' in parsed) return [{name: parsed.name, origin}];
			report(`"${text}" ${parsed.problem}.`);
			return [];
		});
		if (keys.length === 0 && setting.keys.length > 0) return;
		const allow = (action: Action, refuseTyping: boolean) => {
			const refusals = keys.map(({name}) => findKeyRefusal(action, name, screens));
			for (const refusal of refusals)
				if (refusal && (refuseTyping || !refusal.isTyping)) report(`${refusal.text}; ${id} does not get it.`);
			return keys.filter((_key, index) => refusals[index] === undefined);
		};
		const meaning = findMeaning(id, actions);
		if (meaning) {
			for (const draft of drafts) {
				if (!hasMeaning(meaning, draft.action) || draft.fixedReason !== undefined) continue;
				const allowed = allow(draft.action, false);
				// Where none of the new keys works, the old ones stay.
				if (allowed.length > 0 || keys.length === 0) draft.replaceMeaning(meaning, allowed);
			}
			return;
		}
		const draft = drafts.find(({action}) => action.id === id);
		if (!draft) return report(describeUnknown(id, listChangeable(drafts)));
		if (draft.fixedReason !== undefined) return report(`${id} keeps its keys: ${draft.fixedReason}.`);
		if (isMenuAction(draft.action))
			return report(`${id} moves in a menu: set all.up, all.down, all.first and all.last.`);
		const followed = drafts.find(({action}) => action.id === getFollowedId(id));
		if (followed && followed !== draft) return report(`${id} follows ${followed.action.id}: set that.`);
		const allowed = allow(draft.action, true);
		if (allowed.length === 0 && keys.length > 0) return;
		for (const one of drafts) if (getFollowedId(one.action.id) === id) one.replaceAll(allowed);
	};
}

function describeUnknown(id: string, actions: readonly Action[]): string {
	const names = [...actions.map(action => action.id), ...sharedMeanings.map(({name}) => `all.${name}`)];
	const suggestion = formatDidYouMean(id, names).trimEnd();
	return `there is no action "${id}". ${suggestion || '`ledge config init --dry-run` lists them.'}`;
}

const sequences: Readonly<Record<string, string>> = {
	enter: '\r',
	up: '\u001b[A',
	down: '\u001b[B',
	home: '\u001b[H',
	end: '\u001b[F',
};

/** Passes on the default key in whose place a key is, since a menu knows no others. */
function translateKeys(draft: BoundKeys): Action['run'] {
	return (app, key) => {
		const name = draft.findDefaultKey(key.name);
		draft.action.run(app, name === key.name ? key : createDefaultKey(name));
	};
}

const createDefaultKey = (name: string): Key => {
	const sequence = sequences[name];
	return sequence === undefined ? createTextKey(name) : createKey(name, sequence);
};
