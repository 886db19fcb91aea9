import {type Failure, isFailure, toFailure} from '../../failure.ts';
import {describeRuleChange} from '../../rulesets/change-words.ts';
import {listRuleChanges, type RuleChange} from '../../rulesets/difference.ts';
import {restoreRulesetRules} from '../../rulesets/edit.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {formatQuantity} from '../../text/figures.ts';
import {declareList, type ListMembers} from '../list/declared.ts';
import type {DetailBuilder} from '../list/detail.ts';
import {emptyList} from '../list/list.ts';
import {
	createDetailActions,
	createListActions,
	createListScreen,
	type ListScreenDefinition,
} from '../list/screen.ts';
import {createList, type ListWithDetailState} from '../list/slice.ts';
import {buildTextRows, type Row} from '../rows/rows.ts';
import {getReadOnlyReason, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';

/** A version of a ruleset, and whether it is active. */
type Version = Ruleset & {readonly isActive: boolean};

/** The ruleset whose versions are listed, and how to restore one. */
type VersionsRequest = {
	readonly zone: ZoneWithLabel;
	/** The active ruleset. */
	readonly ruleset: Ruleset;
	/** Name of its rules in a sentence: "custom rules". */
	readonly rulesNoun: string;
	/** Describes what restoring changes in a rule; defaults to the wording for any rule. */
	describeChange?(change: RuleChange, when: 'planned'): string;
	/** Describes what a rule does, unescaped. */
	describeRule(rule: RulesetRule): string;
	/** Explains why the rules cannot be changed; undefined if they can. */
	getBlockedReason(): string | undefined;
	/** Restores the rules of a version, after a question. */
	restore(earlierRuleset: Ruleset): void;
};

/** The versions that the service still has, newest first. */
type VersionsState = ListWithDetailState<Version> & {
	readonly request: VersionsRequest;
	/**
	 * The rules of each version that was read: a failure if reading failed, undefined if the service no longer
	 * has it.
	 */
	readonly contents: ReadonlyMap<string, readonly RulesetRule[] | Failure | undefined>;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly versions: VersionsSlice;
	}
}

type VersionsSlice = ListMembers<VersionsState> & {
	open(request: VersionsRequest): void;
	/** Reads the list; the cursor stays on its version. */
	load(signal: AbortSignal): Promise<void>;
	/** Reads the rules of the version under the cursor, unless they are loaded. */
	readVersion(): void;
	/** Shows the version under the cursor from row `top`; undefined returns to the list. */
	showDetail(top: number | undefined): void;
};

/** The list of versions, searchable by number or time. */
const versionList = declareList({
	getSlice: state => state.versions,
	screen: 'versions',
	group: 'Versions',
	id: 'versions',
	rowLabel: 'version',
	getKey: ({version}: Version) => version,
	getTexts: ({version, last_updated: createdAt}) => [version, createdAt],
});

const createVersionsSlice: Slice<VersionsSlice> = (set, get, {session}) => {
	const list = createList(versionList, () => get().versions.data, set);

	async function readVersionRows({zone, ruleset}: VersionsRequest, signal: AbortSignal) {
		const {listRulesetVersions} = await import('../../rulesets/calls.ts');
		const allVersions = await listRulesetVersions(await session.client(), zone.id, ruleset.id, signal);
		const newestFirst = allVersions.toSorted((one, other) => Number(other.version) - Number(one.version));
		return {rows: newestFirst.map(one => ({...one, isActive: one.version === ruleset.version}))};
	}

	/** Aborts the current read of a version. */
	let readController = new AbortController();

	return {
		data: undefined,
		open(request) {
			list.forget();
			readController.abort();
			set({
				data: {
					...emptyList,
					request,
					contents: new Map([[request.ruleset.version, request.ruleset.rules]]),
				},
			});
		},
		async load(signal) {
			const {data} = get().versions;
			if (data) await list.read(signal, () => readVersionRows(data.request, signal), list.show);
			get().versions.readVersion();
		},
		readVersion() {
			const versions = get().versions.data;
			const version = versionList.getSelected(versions)?.version;
			readController.abort();
			if (!versions || version === undefined || versions.contents.has(version)) return;
			const {request} = versions;
			readController = new AbortController();
			const {signal: abortSignal} = readController;
			const storeContents = (contents: readonly RulesetRule[] | Failure | undefined) => {
				const current = get().versions.data;
				if (current?.request === request)
					list.change({contents: new Map([...current.contents, [version, contents]])});
			};
			void get().work.run(`loading version ${version}`, 'background', async signal => {
				const {readRulesetVersion} = await import('../../rulesets/calls.ts');
				const anySignal = AbortSignal.any([signal, abortSignal]);
				try {
					const readRuleset = await readRulesetVersion(
						await session.client(),
						request.zone.id,
						request.ruleset.id,
						version,
						anySignal,
					);
					storeContents(readRuleset?.rules);
				} catch (error) {
					if (!anySignal.aborted) storeContents(toFailure(error));
				}
			});
		},
		move(distance) {
			list.move(distance);
			get().versions.readVersion();
		},
		showDetail: list.showDetail,
		filter(filter) {
			list.filter(filter);
			get().versions.readVersion();
		},
	};
};

/**
 * Builds what restoring the version under the cursor would change, wrapped to `columns`; below it the rules of
 * the version while they are shown in place of the list.
 */
const buildVersionRows: DetailBuilder<VersionsState> = (versions, columns) => {
	const restoreRows = buildRestoreRows(versions, columns);
	const version = versionList.getSelected(versions)?.version;
	const rules = version === undefined ? undefined : versions.contents.get(version);
	if (versions.detail === undefined || !rules || isFailure(rules)) return restoreRows;
	return [
		...restoreRows,
		...buildTextRows('', columns),
		...buildTextRows(
			rules.length === 0 ? `Version ${version} has no rules.` : `Rules of version ${version}`,
			columns,
			'head',
		),
		...rules.flatMap((rule, index) =>
			buildTextRows(
				`${index + 1}. ${rule.description ? `${rule.description}: ` : ''}${versions.request.describeRule(rule)}`,
				columns,
				'plain',
				4,
			),
		),
	];
};

const buildRestoreRows = (versions: VersionsState, columns: number): readonly Row[] => {
	const version = versionList.getSelected(versions)?.version;
	const {contents, request} = versions;
	if (version === undefined) return [];
	if (version === request.ruleset.version)
		return buildTextRows(`Version ${version} is active.`, columns, 'head');
	if (!contents.has(version)) return buildTextRows(`Loading version ${version}…`, columns, 'dim');
	const rules = contents.get(version);
	if (rules === undefined)
		return buildTextRows(`The service no longer has version ${version}.`, columns, 'warning');
	if (isFailure(rules)) return buildTextRows([rules.message, rules.next], columns, 'danger');
	const {describeChange = describeRuleChange} = request;
	const restoredRules = restoreRulesetRules(request.ruleset.rules, rules);
	const changes = listRuleChanges(request.ruleset.rules, restoredRules);
	const changedRules = changes.map(({rule}) => rule);
	const renumberedCount = restoredRules.filter(
		(rule, index) => rule.id !== undefined && rule.id !== rules[index]?.id && !changedRules.includes(rule),
	).length;
	const renumberedRows =
		renumberedCount === 0
			? []
			: buildTextRows(
					`${formatQuantity(renumberedCount, 'rule')} ${renumberedCount === 1 ? 'stays as it is but gets a new id' : 'stay as they are but get new ids'}.`,
					columns,
					'plain',
					2,
				);
	if (changes.length === 0)
		return [
			...buildTextRows(`Version ${version} has the same rules as the active version.`, columns, 'head'),
			...renumberedRows,
		];
	return [
		...buildTextRows(
			`Restoring version ${version} would make ${formatQuantity(changes.length, 'change')}:`,
			columns,
			'head',
		),
		...changes.flatMap(change => buildTextRows(describeChange(change, 'planned'), columns, 'plain', 2)),
		...renumberedRows,
	];
};

/** Reads the versions of the open ruleset. */
export function readVersions({state}: App): void {
	void state().work.run('loading versions', 'read', signal => state().versions.load(signal));
}

export const versionsScreen: ListScreenDefinition = createListScreen(versionList, {
	label: 'the versions',
	buildPath: parentPath => [...parentPath, 'versions'],
	createSlice: createVersionsSlice,
	reload: readVersions,
	buildDetail: buildVersionRows,
	view: {
		getColumns: () => [
			{
				title: 'VERSION',
				isEssential: true,
				getWidth: () => 9,
				align: 'right',
				getText: ({version}) => version,
			},
			{
				title: 'CREATED',
				isEssential: true,
				gap: 2,
				getWidth: () => 28,
				getText: ({last_updated: createdAt}) => createdAt ?? '',
			},
			{title: 'NOTE', gap: 2, getText: ({isActive}) => (isActive ? 'active' : '')},
		],
		getDetailHint: () => ': enter',
		closedTitle: 'No rules are open.',
		describeEmpty: () => 'The service has no versions of these rules.',
	},
});

/** Returns the version under the cursor; undefined if its rules were not read. */
function getSelectedVersion({versions: {data: versions}}: StateWith<'versions'>): Ruleset | undefined {
	const selectedVersion = versionList.getSelected(versions);
	const rules = selectedVersion && versions?.contents.get(selectedVersion.version);
	return selectedVersion && rules && !isFailure(rules) ? {...selectedVersion, rules} : undefined;
}

function getRestoreBlockedReason(state: StateWith<'versions' | 'connection'>): string | undefined {
	const {request} = state.versions.data ?? {};
	const selectedVersion = versionList.getSelected(state.versions.data);
	if (state.connection.data?.readOnly) return getReadOnlyReason(state);
	if (!selectedVersion) return versionList.noRowReason;
	if (selectedVersion.version === request?.ruleset.version) return 'this version is already active';
	const blockedReason = request?.getBlockedReason();
	if (blockedReason !== undefined) return blockedReason;
	return getSelectedVersion(state) ? undefined : 'its rules are not loaded';
}

/** The actions of the versions. */
export const versionsActions: readonly Action[] = [
	...createDetailActions(versionList),
	versionList.defineAction(
		'versions.restore',
		['u'],
		'undo all changes since this version: restore its rules',
		{
			effect: 'writes',
			hint: 'restore',
			searchTerms: ['roll back', 'revert', 'undo', 'restore version'],
			isDestructive: true,
			...withSelection(
				getSelectedVersion,
				versionList.noRowReason,
				({state}, version) => state().versions.data?.request.restore(version),
				getRestoreBlockedReason,
			),
		},
	),
	...createListActions(versionList, 'filter versions by number or time', [
		{shortcut: 'y', noun: 'the version number', hint: 'copy', getText: ({version}) => version},
	]),
];
