import {Failure} from '../../failure.ts';
import {fingerprint} from '../../migration/configuration/configuration.ts';
import type {MadeEdit} from '../../migration/configuration/rebase.ts';
import type {DraftForm as FormName} from '../../state/drafts.ts';
import type {Has} from '../../store/ledge-store.ts';
import {counted} from '../../text/figures.ts';
import {type FormCreator, otherVersion} from '../drafts/form.ts';
import {placeInWords, zoneTarget} from '../drafts/place.ts';
import {zoneFields, zoneOf} from '../drafts/zone.ts';
import {type KeptEdits, keptEdits, readKeptEdits} from '../managed-edit/kept-edits.ts';
import {exceptionIn, type UnfinishedException} from '../managed-edit/unfinished-exception.ts';
import {screenOf} from '../shell/screen-name.ts';
import type {ManagedState} from './state.ts';

const form: FormName = {kind: 'managed rules', version: 1};

/** Returns the id of the open managed rules, for their drafts. */
export const managedFormId = ({id}: Pick<ManagedState, 'id'>): string => `managed ${id}`;

/** Unsent changes of managed rules as a form with drafts. */
export const createManagedForm: FormCreator = (get, {session}) => ({
	kind: form.kind,
	kept: state => state.managed.data,
	open(state) {
		const managed = state.managed.data;
		if (!managed) return [];
		const unfinished = unfinishedNow(state);
		const {edits, configuration, zone} = managed;
		if (edits.length === 0 && !unfinished) return [];
		return [
			{
				id: managedFormId(managed),
				content: () => JSON.stringify([edits.length, fingerprint(configuration), unfinished]),
				isWorthKeeping: () => true,
				draft: instance => ({
					form,
					target: zoneTarget(zone, session, get().connection.data),
					label: zone.name,
					key: 'rules in force',
					instance,
					fields: {...zoneFields(zone), ...keptEdits(managed, unfinished)},
				}),
			},
		];
	},
	offer(draft) {
		if (draft.form.version !== form.version) return otherVersion(draft);
		const zone = zoneOf(draft);
		if (!zone) return 'It names no zone.';
		const kept = readKeptEdits(draft.fields);
		if (typeof kept === 'string') return kept;
		const edits = madeEdits(kept);
		if (!edits) return 'It has an edit that is not made here.';
		const {unfinished} = kept;
		const parts = [
			...(edits.length > 0 ? [counted(edits.length, 'change')] : []),
			...(unfinished ? ['an exception'] : []),
		].join(' and ');
		return {
			name: `managed rules of ${zone.name}`,
			title: `Managed rules of ${zone.name}: ${parts} not sent`,
			lines: [placeInWords(draft.target, session.cwd)],
			restores: 'Resume it',
			async restore(signal) {
				if (screenOf(get()) !== 'managed' || get().managed.data?.zone.id !== zone.id) {
					get().managed.open(zone);
					get().navigation.openFromHome('managed');
				}
				if (!get().managed.data?.inForce) await get().managed.load(signal);
				const managed = get().managed.data;
				if (managed?.zone.id !== zone.id || !managed.inForce) return;
				if (managed.inForce.readOnly)
					throw new Failure('not_eligible', `The managed rules of ${zone.name} cannot be changed now.`, {
						why: managed.inForce.readOnly.message,
						left: `The changes are kept in ${draft.path}`,
					});
				// The current changes become a draft of their own.
				get().drafts.release(managedFormId(managed));
				get().managed.resumeEdits({edits, unfinished});
				get().drafts.adopt(managedFormId(managed), draft);
			},
		};
	},
});

const madeEdits = ({edits}: KeptEdits): readonly MadeEdit[] | undefined => {
	const made = edits.flatMap(({edit, before}) => (edit === 'by hand' ? [] : [{edit, before}]));
	return made.length === edits.length ? made : undefined;
};

/** Returns the unfinished exception: from the open dialog, or restored from a draft. */
const unfinishedNow = (
	state: Has<'dialog', 'current'> & Has<'managed'> & Has<'navigation', 'stack'>,
): UnfinishedException | undefined =>
	(screenOf(state) === 'managed' ? exceptionIn(state.dialog.current) : undefined) ??
	state.managed.data?.unfinished;
