import {Failure} from '../../failure.ts';
import type {Draft, DraftForm as FormName} from '../../state/drafts.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Ports} from '../../store/slice.ts';
import type {JsonObject} from '../../text/json.ts';
import {type DraftForm, otherVersion} from '../drafts/form.ts';
import {placeInWords, zoneTarget} from '../drafts/place.ts';
import {zoneFields, zoneOf} from '../drafts/zone.ts';
import type {OpenedZone} from '../firewall/state.ts';
import type {FormEnding, FormList, FormState, SteppedScreen} from './state.ts';

/** The id of an open form among those that keep drafts. */
export const formId = (screen: SteppedScreen, {id}: {readonly id: number}): string => `${screen} ${id}`;

/** What distinguishes the drafts of one form from those of another. */
type Kept<Form, Fields> = {
	readonly form: FormName;
	readonly screen: SteppedScreen;
	/** What it is called in a sentence. */
	readonly noun: string;
	/** The list that it is opened from. */
	readonly list: FormList;
	read(state: LedgeState): Form | undefined;
	/** Whether it has ended, and nothing of it is left to keep. */
	isOver(form: Form): boolean;
	/** Whether it holds something that was typed or chosen. */
	isTouched(form: Form): boolean;
	key(form: Form): string;
	fields(form: Form): JsonObject;
	/** The fields of a draft; a sentence where they cannot be read. */
	parsed(draft: Draft): Fields | string;
	/** What it is of, as "rule", and what was typed. */
	described(fields: Fields): {readonly name: string; readonly lines: readonly string[]};
	/** Opens the form with the fields. Returns what has changed since. */
	restore(zone: OpenedZone, fields: Fields, signal: AbortSignal): Promise<string | undefined>;
};

/** Whether it was sent, and the outcome is unknown. */
export const isSent = ({phase}: FormState<unknown, FormEnding>): boolean =>
	phase.name === 'sending' || (phase.name === 'ended' && phase.ending.state.startsWith('unsure'));

const mayBeInForce = 'It may be in force: check the rules before you send it again.';

/** A form with steps that keeps drafts: until it is in force, or discarded. */
export function keptForm<
	Form extends FormState<unknown, FormEnding>,
	Fields extends {readonly sent: boolean},
>(get: () => LedgeState, {session}: Ports, kept: Kept<Form, Fields>): DraftForm {
	const {form, screen} = kept;
	return {
		kind: form.kind,
		kept: kept.read,
		open(state) {
			const open = kept.read(state);
			if (!open || kept.isOver(open)) return [];
			const {zone, phase} = open;
			return [
				{
					id: formId(screen, open),
					content: () => JSON.stringify(kept.fields(open)),
					isWorthKeeping: () => phase.name === 'sending' || phase.name === 'ended' || kept.isTouched(open),
					draft: instance => ({
						form,
						target: zoneTarget(zone, session, get().connection.data),
						label: zone.name,
						key: kept.key(open),
						instance,
						fields: {...zoneFields(zone), ...kept.fields(open)},
					}),
				},
			];
		},
		offer(draft) {
			if (draft.form.version !== form.version) return otherVersion(draft);
			const zone = zoneOf(draft);
			if (!zone) return 'It names no zone.';
			const fields = kept.parsed(draft);
			if (typeof fields === 'string') return fields;
			const {sent} = fields;
			const {name: what, lines} = kept.described(fields);
			const name = `${what} for ${zone.name}`;
			return {
				name,
				title: `A${/^[aeiou]/.test(name) ? 'n' : ''} ${name} was ${sent ? 'being sent when ledge ended' : 'not sent'}`,
				lines: [...lines, placeInWords(draft.target, session.cwd), ...(sent ? [mayBeInForce] : [])],
				restores: 'Resume it',
				async restore(signal) {
					const before = kept.read(get());
					if (before && before.phase.name !== 'asking')
						throw new Failure('usage', `The ${kept.noun} is still open with what was sent before.`, {
							next: 'Leave it first; the draft stays until then.',
						});
					// What is typed there now becomes a draft, too.
					if (before && kept.isTouched(before)) get().drafts.release(formId(screen, before));
					const changed = await kept.restore(zone, fields, signal);
					get().navigation.openFromHome(kept.list, screen);
					const restored = kept.read(get());
					if (restored) get().drafts.adopt(formId(screen, restored), draft);
					const warning = changed ?? (sent ? mayBeInForce : undefined);
					if (warning !== undefined) get().messages.warn(warning);
				},
			};
		},
	};
}
