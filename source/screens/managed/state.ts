import type {Failure} from '../../failure.ts';
import {buildProposalRequest, type ManagedProposal} from '../../managed/proposal.ts';
import type {ManagedRulesState, ManagedZone} from '../../managed/state.ts';
import {buildManagedView, type ManagedView} from '../../managed/view.ts';
import type {ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import type {AppliedEdit} from '../../migration/configuration/rebase.ts';
import type {Rise} from '../../migration/validation/rise.ts';
import type {LoadState} from '../list/reading.ts';
import type {UnfinishedException} from '../managed-edit/unfinished-exception.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import type {WriteRequest} from '../write-flow/curl.ts';

/** The active managed rules of a zone, and the unsent changes. */
export type ManagedState = {
	/** Distinguishes one opening from another. */
	readonly id: number;
	readonly zone: ZoneWithLabel;
	/** `stale`: something was written after the last read, and the refresh failed. */
	readonly reading: LoadState;
	/** Why the rules could not be read. */
	readonly failure?: Failure | undefined;
	/** Set if the rules stop more requests than the migration's validation showed. */
	readonly rise?: Rise | undefined;
	readonly activeRules: ManagedRulesState | undefined;
	/** Unsent edits, each with the configuration before it. */
	readonly edits: readonly AppliedEdit[];
	/** What the edits started from, to find changes by others; undefined until the rules are read again. */
	readonly editedFrom?: ManagedConfiguration | undefined;
	/** The configuration after all edits. */
	readonly configuration: ManagedConfiguration;
	/** The resulting proposal; undefined without edits. */
	readonly proposal: ManagedProposal | undefined;
	/** An exception restored from a draft and not continued yet. */
	readonly unfinished?: UnfinishedException | undefined;
	/** Why the reviewed change was not sent, or what others changed. */
	readonly obstacle?: Failure | undefined;
	readonly step: 'rules' | 'review';
	/** The screen that opened the review, where Esc goes back to; undefined for the rules. */
	readonly reviewOrigin?: 'leftBehind' | undefined;
	/** Whether the review shows the request or a `curl` line. */
	readonly shows: 'requests' | 'curl';
	/** Index in the rows of the editor. */
	readonly cursor: number;
	/** Scroll offset of the review, or of the details, in rows. */
	readonly top: number;
};

/** Creates the state before anything is read or changed. */
export const createManagedState = (id: number, zone: ZoneWithLabel): ManagedState => ({
	id,
	zone,
	reading: 'unread',
	activeRules: undefined,
	edits: [],
	configuration: {name: 'default', rules: []},
	proposal: undefined,
	step: 'rules',
	shows: 'requests',
	cursor: 0,
	top: 0,
});

/** Converts a zone for reading its managed rules. */
export const toManagedZone = ({id, name, plan, label}: ZoneWithLabel): ManagedZone => ({
	id,
	name,
	plan,
	label: label ?? `zone ${name}`,
});

/** True if there are unsent changes. */
export const hasUnsentEdits = (managed: ManagedState | undefined): boolean =>
	managed !== undefined && managed.edits.length > 0;

/** Returns the edits that undo takes back together: those of the last action. */
export function getLastEdits({edits}: Pick<ManagedState, 'edits'>): readonly AppliedEdit[] {
	const action = edits.at(-1)?.action;
	return action === undefined ? edits.slice(-1) : edits.filter(edit => edit.action === action);
}

/** Builds the request of the review; empty if nothing differs. */
export function buildManagedRequests({activeRules, proposal}: ManagedState): readonly WriteRequest[] {
	const request = activeRules && proposal && buildProposalRequest(activeRules, proposal);
	return request ? [request] : [];
}

const notDeployedCache = new WeakMap<ManagedState, ManagedView['notDeployed']>();

/** Lists the managed rulesets that the zone could deploy, given the unsent changes. Cached per state. */
export function listNotDeployed(managed: ManagedState): ManagedView['notDeployed'] {
	const {activeRules, configuration} = managed;
	if (!activeRules) return [];
	const cached = notDeployedCache.get(managed);
	if (cached) return cached;
	const notDeployed = buildManagedView({...activeRules, configuration}).notDeployed;
	notDeployedCache.set(managed, notDeployed);
	return notDeployed;
}
