import {bulkWords} from '../kv/bulk/prepared.ts';
import type {LedgeState} from '../store/ledge-store.ts';
import {editHere} from './edit/slice.ts';
import type {OpenedZone} from './firewall/slice.ts';
import type {NamespaceRow} from './keys/namespace-rows.ts';
import {type Screen, screenOf} from './shell/navigation-slice.ts';

/** Where the person is, from the outside in, one part a line: data as it is, line feeds escaped. */
export function pathOf(state: LedgeState): string {
	const parts = ['ledge'];
	for (const screen of state.stack) {
		switch (screen) {
			case 'home':
				break;
			case 'namespaces':
				parts.splice(1, parts.length, state.namespaces.where === 'local' ? 'local data' : 'namespaces');
				break;
			case 'keys':
				parts.splice(1, parts.length, openNamespace(state)?.title ?? '');
				break;
			case 'key':
				parts.push(state.key?.name ?? '');
				break;
			case 'editor':
				parts.splice(2, parts.length, ...editorPath(state));
				break;
			case 'review':
				parts.splice(1, parts.length, ...reviewPath(state));
				break;
			case 'bulk':
				if (state.bulk) parts.push(bulkWords[state.bulk.kind].command, state.bulk.from);
				break;
			case 'transfer':
				parts.push(state.transfer?.kind ?? 'export and copy');
				break;
			case 'compare':
				parts.push('compare', ...(state.compare ? [state.compare.other.title] : []));
				break;
			case 'zones':
				parts.splice(1, parts.length, 'zones');
				break;
			case 'accounts':
				parts.splice(1, parts.length, 'accounts');
				break;
			case 'firewall':
				parts.splice(1, parts.length, 'firewall', zoneInFront(state)?.name ?? '');
				break;
			case 'wizard':
				parts.push(state.wizard?.purpose.kind ?? 'new rule');
				break;
			case 'emergency':
				parts.push('emergency');
				break;
			case 'migration':
				parts.splice(1, parts.length, 'migration', state.migration?.zone.name ?? '');
				break;
			case 'jobs':
				parts.push('jobs');
				break;
			case 'activity':
				parts.push('activity');
				break;
		}
	}
	return parts.map(part => part.replaceAll('\n', '\\n')).join('\n');
}

/** The namespace whose keys are shown, or will be. */
const openNamespace = ({keys, opening}: LedgeState): NamespaceRow | undefined =>
	keys?.namespace ?? opening?.namespace;

const editNames = {edit: 'edit', create: 'new', metadata: 'metadata', expiry: 'expiry'} as const;

function editorPath(state: LedgeState): readonly string[] {
	const edit = editHere(state);
	return edit ? [edit.key, editNames[edit.origin]] : [];
}

/** An undo may lead to another namespace than the one that is open. */
function reviewPath({review}: LedgeState): readonly string[] {
	if (!review) return [];
	const {label, key, proposal} = review;
	const what = proposal.origin === 'undo' || proposal.origin === 'delete' ? proposal.origin : 'review';
	return [label, key, what];
}

/** Where a screen acts that need not act where the others do: as journals call it. */
function placeOf(state: LedgeState): string | undefined {
	switch (screenOf(state)) {
		case 'review':
			return state.review?.target.place;
		case 'bulk':
			return state.bulk?.namespace.target?.place;
		default:
			return undefined;
	}
}

/** Which part of ledge a screen belongs to: the one that was gone to last. */
function areaOf(stack: readonly Screen[]): 'keys' | 'zones' | undefined {
	const screen = stack.findLast(one => one !== 'jobs' && one !== 'activity');
	switch (screen) {
		case undefined:
		case 'home':
		case 'accounts':
			return undefined;
		case 'zones':
		case 'firewall':
		case 'wizard':
		case 'emergency':
		case 'migration':
			return 'zones';
		default:
			return 'keys';
	}
}

/** The screens of one zone. */
const ofZones: ReadonlySet<Screen> = new Set<Screen>(['firewall', 'wizard', 'emergency', 'migration']);

/** The zone that is acted on: a wizard that stands open keeps its own, whatever zone was looked at since. */
function zoneInFront({stack, firewall, wizard, emergency, migration}: LedgeState): OpenedZone | undefined {
	switch (stack.findLast(one => ofZones.has(one))) {
		case 'migration':
			return migration?.zone;
		case 'wizard':
			return wizard?.zone ?? firewall?.zone;
		case 'emergency':
			return emergency?.zone ?? firewall?.zone;
		case 'firewall':
			return firewall?.zone;
		default:
			return undefined;
	}
}

/** On what a screen acts, beside its modes: the account, and in a zone its plan before that. */
export function accountOf(state: LedgeState): string | undefined {
	const {connection, stack, viewport} = state;
	const account = connection?.account.state === 'known' ? connection.account.label : undefined;
	const plan = areaOf(stack) === 'zones' ? zoneInFront(state)?.plan : undefined;
	// Beside the path there is seldom room for both; the plan tells what can be done here.
	if (plan !== undefined && viewport.columns < 100) return plan;
	return [plan, account].filter(one => one !== undefined).join(' · ') || undefined;
}

/** The modes, in capitals: what is acted on first, then what is special about it. */
export function badgesOf(state: LedgeState): string {
	const {connection, namespaces, stack} = state;
	if (!connection || connection.problem) return '';
	const inZones = areaOf(stack) === 'zones';
	const inKeys = stack.includes('keys') ? openNamespace(state) : undefined;
	const placed = placeOf(state);
	const local = inZones
		? false
		: placed
			? placed.startsWith('local:')
			: inKeys
				? inKeys.where === 'local'
				: namespaces.where === 'local';
	return [
		(placed ? placed === 'simulated' : connection.simulated) ? 'SIMULATED' : local ? 'LOCAL' : 'REMOTE',
		...(!inZones && inKeys?.bindings.some(({preview}) => preview) ? ['PREVIEW'] : []),
		...(connection.readOnly ? ['READ-ONLY'] : []),
	].join('\n');
}
