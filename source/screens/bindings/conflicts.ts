import type {PreferenceProblem} from '../../settings/preferences/preferences.ts';
import {isActionBound} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {ownCommandsGroup, type Screens} from '../shell/screen.ts';
import {formatScreenName} from '../shell/screen-name.ts';
import type {BoundKey, BoundKeys} from './bound-keys.ts';

type Holder = {readonly draft: BoundKeys; readonly key: BoundKey; readonly rank: number};

/**
 * Gives each key that a setting has moved to one of the actions that want it in the same place: a fixed
 * action, then the first line of the file, then the preset, then a default. The others lose it. Actions that
 * share a key by default may also share another. Screens take precedence over what works everywhere, as by
 * default; there nothing is lost.
 */
export function resolveConflicts(
	drafts: readonly BoundKeys[],
	screens: Screens,
): readonly PreferenceProblem[] {
	const problems: PreferenceProblem[] = [];
	const holdersByKey = new Map<string, Holder[]>();
	for (const draft of drafts)
		for (const key of draft.list()) {
			const holder = {draft, key, rank: getRank(draft, key)};
			const holders = holdersByKey.get(key.name);
			if (holders) holders.push(holder);
			else holdersByKey.set(key.name, [holder]);
		}
	for (const holders of holdersByKey.values()) {
		if (holders.every(({key}) => key.origin.kind === 'default')) continue;
		const lost = new Set<Holder>();
		const sorted = holders.toSorted((one, other) => one.rank - other.rank);
		for (const [index, winner] of sorted.entries())
			for (const loser of sorted.slice(index + 1)) {
				if (lost.has(winner) || lost.has(loser)) continue;
				if (winner.key.origin.kind === 'default' && loser.key.origin.kind === 'default') continue;
				const [one, other] = [winner.draft.action, loser.draft.action];
				if (!overlaps(one, other, screens) || sharesDefaultKey(one, other)) continue;
				const isGlobal = (one.where === 'everywhere') !== (other.where === 'everywhere');
				if (!isGlobal) {
					lost.add(loser);
					loser.draft.lose(loser.key.name);
				}
				problems.push(...describeConflict(winner, loser, isGlobal));
			}
	}
	return problems;
}

function getRank({fixedReason}: BoundKeys, {origin}: BoundKey): number {
	if (fixedReason !== undefined) return 0;
	if (origin.kind === 'user') return origin.setting.line;
	return origin.kind === 'preset' ? Number.MAX_SAFE_INTEGER - 1 : Number.MAX_SAFE_INTEGER;
}

function overlaps(one: Action, other: Action, screens: Screens): boolean {
	if (one.where === 'everywhere') return other.where === 'everywhere' || overlaps(other, one, screens);
	return one.where.some(context => isActionBound(other, context, screens));
}

const sharesDefaultKey = (one: Action, other: Action): boolean =>
	one.keys.some(key => other.keys.includes(key));

function describeConflict(winner: Holder, loser: Holder, isGlobal: boolean): readonly PreferenceProblem[] {
	const key = `"${winner.key.name}"`;
	const loserId = loser.draft.action.id;
	const origins = [winner.key.origin, loser.key.origin];
	const [place] = origins.flatMap(origin => (origin.kind === 'user' ? [origin.setting] : []));
	const {line, column} = place ?? {line: 0, column: 0};
	if (isGlobal) {
		const [screenHolder, globalHolder] =
			winner.draft.action.where === 'everywhere' ? [loser, winner] : [winner, loser];
		const {where} = screenHolder.draft.action;
		const screens = where === 'everywhere' ? [] : where.slice(0, 1).map(formatScreenName);
		const text = `${key} is ${globalHolder.draft.action.id} everywhere, but on ${screens.join('')} it is ${formatActionWithTitle(screenHolder)}.`;
		return [{line, column, text, isNotice: true}];
	}
	if (loser.key.origin.kind === 'user') {
		const {setting} = loser.key.origin;
		const owner = winner.key.origin.kind === 'user' ? ` (line ${winner.key.origin.setting.line})` : '';
		return [
			{
				line: setting.line,
				column: setting.column,
				text: `${key} already is ${formatActionWithTitle(winner, owner)}. ${loserId} does not get it.`,
			},
		];
	}
	const remaining = loser.draft.list().map(({name}) => name);
	const rest = remaining.length === 0 ? 'has no key now' : `keeps ${remaining.join(', ')}`;
	const text = `${key} was ${loserId} (${loser.draft.action.title}), which ${rest}.`;
	return [{line, column, text, isNotice: true}];
}

/** Formats the id of an action with its title, unless the id contains it, as that of a command does. */
function formatActionWithTitle({draft: {action}}: Holder, owner = ''): string {
	const {id, title, group} = action;
	return group === ownCommandsGroup ? `${id}${owner}` : `${id}${owner}: ${title}`;
}
