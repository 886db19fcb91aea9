import {asFailure, type Failure, isFailure} from '../../failure.ts';
import {changeSentence} from '../../rulesets/change.ts';
import {changesBetween, type RuleChange} from '../../rulesets/difference.ts';
import {restored} from '../../rulesets/edit.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {counted} from '../../text/figures.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {declareList, type ListMembers} from '../list/declared.ts';
import {emptyList} from '../list/list.ts';
import {type Detail, listActions, listScreen} from '../list/screen.ts';
import {createList, type Listed} from '../list/slice.ts';
import type {ListView} from '../list/with-detail.tsx';
import {said} from '../rows/rows.ts';
import {readOnly, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {ScreenDefinition} from '../shell/screen.ts';

/** A version of a ruleset, and whether it is active. */
type Version = Ruleset & {readonly isInForce: boolean};

/** The ruleset whose versions are listed, and how to restore one. */
type VersionsOf = {
	readonly zone: OpenedZone;
	/** The active ruleset. */
	readonly ruleset: Ruleset;
	/** Name of its rules in a sentence: "custom rules". */
	readonly called: string;
	/** Describes what restoring changes in a rule; defaults to the wording for any rule. */
	sentence?(change: RuleChange, when: 'planned'): string;
	/** Asks whether to restore the rules of a version, and does. */
	restore(then: Ruleset): void;
};

/** The versions that the service still has, newest first. */
type VersionsState = Listed<Version> & {
	readonly of: VersionsOf;
	/**
	 * The rules of each version read; a failure if reading failed, undefined if the service no longer has it.
	 */
	readonly contents: ReadonlyMap<string, readonly RulesetRule[] | Failure | undefined>;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly versions: VersionsSlice;
	}
}

type VersionsSlice = ListMembers<VersionsState> & {
	open(of: VersionsOf): void;
	/** Reads the list; the cursor stays on its version. */
	load(signal: AbortSignal): Promise<void>;
	/** Reads the rules of the version under the cursor, unless they are loaded. */
	readVersion(): void;
};

/** The list of versions, searchable by number or time. */
export const versionList = declareList({
	slice: state => state.versions,
	screen: 'versions',
	group: 'Versions',
	id: 'versions',
	row: 'version',
	key: ({version}: Version) => version,
	texts: ({version, last_updated: made}) => [version, made],
});

export const createVersionsSlice: Slice<VersionsSlice> = (set, get, {session}) => {
	const list = createList(versionList, () => get().versions.data, set);

	async function found({zone, ruleset}: VersionsOf, signal: AbortSignal) {
		const {rulesetVersions} = await import('../../rulesets/calls.ts');
		const all = await rulesetVersions(await session.client(), zone.id, ruleset.id, signal);
		const newestFirst = all.toSorted((one, other) => Number(other.version) - Number(one.version));
		return {rows: newestFirst.map(one => ({...one, isInForce: one.version === ruleset.version}))};
	}

	/** Aborts the current read of a version. */
	let latest = new AbortController();

	return {
		data: undefined,
		open(of) {
			list.forget();
			latest.abort();
			set({data: {...emptyList, of, contents: new Map([[of.ruleset.version, of.ruleset.rules]])}});
		},
		async load(signal) {
			const {data} = get().versions;
			if (data) await list.read(signal, () => found(data.of, signal), list.show);
			get().versions.readVersion();
		},
		readVersion() {
			const versions = get().versions.data;
			const version = versionList.selected(versions)?.version;
			latest.abort();
			if (!versions || version === undefined || versions.contents.has(version)) return;
			const {of} = versions;
			latest = new AbortController();
			const {signal: ended} = latest;
			const keep = (found: readonly RulesetRule[] | Failure | undefined) => {
				const now = get().versions.data;
				if (now?.of === of) list.change({contents: new Map([...now.contents, [version, found]])});
			};
			void get().work.run(`reading version ${version}`, 'background', async signal => {
				const {rulesetVersion} = await import('../../rulesets/calls.ts');
				const both = AbortSignal.any([signal, ended]);
				try {
					const found = await rulesetVersion(
						await session.client(),
						of.zone.id,
						of.ruleset.id,
						version,
						both,
					);
					keep(found?.rules);
				} catch (error) {
					if (!both.aborted) keep(asFailure(error));
				}
			});
		},
		move(by) {
			list.move(by);
			get().versions.readVersion();
		},
		filter(filter) {
			list.filter(filter);
			get().versions.readVersion();
		},
	};
};

/** Builds what restoring the version under the cursor would change, wrapped to `columns`. */
const differenceRows: Detail<VersionsState> = (versions, columns) => {
	const version = versionList.selected(versions)?.version;
	const {contents, of} = versions;
	if (version === undefined) return [];
	if (version === of.ruleset.version) return said(`Version ${version} is in force.`, columns, 'head');
	if (!contents.has(version)) return said(`Reading version ${version}…`, columns, 'dim');
	const rules = contents.get(version);
	if (rules === undefined) return said(`The service no longer has version ${version}.`, columns, 'warning');
	if (isFailure(rules)) return said([rules.message, rules.next], columns, 'danger');
	const {sentence = changeSentence} = of;
	const changes = changesBetween(of.ruleset.rules, restored(of.ruleset.rules, rules));
	if (changes.length === 0)
		return said(`Version ${version} has the rules that are in force.`, columns, 'head');
	return [
		...said(`Restoring version ${version}: ${counted(changes.length, 'change')}`, columns, 'head'),
		...changes.flatMap(change => said(sentence(change, 'planned'), columns, 'plain', 2)),
	];
};

/** The view of the versions, with what restoring the one under the cursor would change. */
export const versionsView: ListView<Version, VersionsState> = {
	list: versionList,
	columns: () => [
		{title: 'VERSION', width: () => 9, align: 'right', text: ({version}) => version},
		{title: 'MADE', gap: 2, width: () => 28, text: ({last_updated: made}) => made ?? ''},
		{title: 'NOTE', gap: 2, text: ({isInForce}) => (isInForce ? 'in force' : '')},
	],
	detail: differenceRows,
	notOpen: 'No rules are open.',
	narrowed: filter => `No version has "${filter}" in its number or time.`,
	none: () => 'The service keeps no versions of these rules.',
};

/** Reads the versions of the open ruleset. */
export function readVersions({state}: App): void {
	void state().work.run('reading the versions', 'read', signal => state().versions.load(signal));
}

export const versionsScreen: ScreenDefinition = listScreen(versionList, {
	called: 'the versions',
	path: before => [...before, 'versions'],
	reload: readVersions,
});

/** Returns the version under the cursor; undefined if its rules were not read. */
function versionHere({versions: {data: versions}}: Has<'versions'>): Ruleset | undefined {
	const selected = versionList.selected(versions);
	const rules = selected && versions?.contents.get(selected.version);
	return selected && rules && !isFailure(rules) ? {...selected, rules} : undefined;
}

function notRestorable(state: Has<'versions' | 'connection'>): string | undefined {
	const selected = versionList.selected(state.versions.data);
	if (state.connection.data?.readOnly) return readOnly(state);
	if (!selected) return versionList.none;
	if (selected.version === state.versions.data?.of.ruleset.version) return 'this version is in force';
	return versionHere(state) ? undefined : 'its rules were not read';
}

/** The actions of the versions. */
export const versionsActions: readonly Action[] = [
	versionList.action('versions.restore', ['enter'], 'restore the rules of this version', {
		hint: 'restore',
		words: ['roll back', 'revert', 'undo', 'restore version'],
		destroys: true,
		...withFound(
			versionHere,
			versionList.none,
			({state}, version) => state().versions.data?.of.restore(version),
			notRestorable,
		),
	}),
	...listActions(versionList, 'show only the versions with a text in number or time', [
		{key: 'y', what: 'the number of the version', hint: 'copy', text: ({version}) => version},
	]),
];
