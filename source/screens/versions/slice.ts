import {asFailure, type Failure} from '../../failure.ts';
import type {RuleChange} from '../../rulesets/difference.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {Slice} from '../../store/slice.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {createReader, emptyList, type ListState, listOf} from '../shell/list.ts';

/** The rules whose versions are looked at, and what is done with the chosen one. */
type VersionsOf = {
	readonly zone: OpenedZone;
	/** The ruleset as it is in force. */
	readonly ruleset: Ruleset;
	/** Its rules in a sentence: "custom rules". */
	readonly called: string;
	/** What restoring changes of a rule; without it, in the words of any rule. */
	sentence?(change: RuleChange, when: 'planned'): string;
	/** Asks whether to put the rules of a version in force again, and does. */
	restore(then: Ruleset): void;
};

/** The versions of a ruleset that the service still has, the newest first. */
export type VersionsState = ListState<Ruleset> & {
	readonly of: VersionsOf;
	/** The rules of the versions that were read; why one could not be, and `undefined` where the service no longer has it. */
	readonly contents: ReadonlyMap<string, readonly RulesetRule[] | Failure | undefined>;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly versions: VersionsSlice;
	}
}

type VersionsSlice = {
	readonly data: VersionsState | undefined;
	open(of: VersionsOf): void;
	load(signal: AbortSignal): Promise<void>;
	/** Reads the rules of the version under the cursor, unless they were read. */
	readVersion(): void;
	move(by: number): void;
	filter(filter: string): void;
};

const versionList = listOf<Ruleset>(
	({version}) => version,
	({version, last_updated: made}) => [version, made ?? ''],
);

export const {visible: visibleVersions} = versionList;

/** The version under the cursor. */
export const selectedVersion = (versions: VersionsState | undefined): Ruleset | undefined =>
	versions && versionList.selected(versions);

export const createVersionsSlice: Slice<VersionsSlice> = (set, get, {session}) => {
	const change = (part: Partial<VersionsState>) =>
		set(({data: versions}) => (versions ? {data: {...versions, ...part}} : {}));

	const {read, forget} = createReader(() => get().versions.data ?? emptyList, change);

	/** The read of one version that is under way. */
	let latest = new AbortController();

	return {
		data: undefined,
		open(of) {
			forget();
			latest.abort();
			set({data: {...emptyList, of, contents: new Map([[of.ruleset.version, of.ruleset.rules]])}});
		},
		async load(signal) {
			await read(
				signal,
				async () => {
					const versions = get().versions.data;
					if (!versions) return [];
					const {zone, ruleset} = versions.of;
					const {rulesetVersions} = await import('../../rulesets/calls.ts');
					const all = await rulesetVersions(await session.client(), zone.id, ruleset.id, signal);
					return all.toSorted((one, other) => Number(other.version) - Number(one.version));
				},
				rows => {
					const versions = get().versions.data;
					if (versions) change(versionList.changed(versions, {rows, reading: 'read', failure: undefined}));
				},
			);
			get().versions.readVersion();
		},
		readVersion() {
			const versions = get().versions.data;
			const version = selectedVersion(versions)?.version;
			latest.abort();
			if (!versions || version === undefined || versions.contents.has(version)) return;
			const {of} = versions;
			latest = new AbortController();
			const {signal: ended} = latest;
			const keep = (found: readonly RulesetRule[] | Failure | undefined) => {
				const now = get().versions.data;
				if (now?.of === of) change({contents: new Map([...now.contents, [version, found]])});
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
			const versions = get().versions.data;
			if (!versions) return;
			change(versionList.moved(versions, by));
			get().versions.readVersion();
		},
		filter(filter) {
			const versions = get().versions.data;
			if (!versions) return;
			change(versionList.changed(versions, {filter}));
			get().versions.readVersion();
		},
	};
};
