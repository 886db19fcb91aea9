import {
	boolean,
	type GenericSchema,
	type InferOutput,
	nullable,
	picklist,
	pipe,
	rawTransform,
	string,
} from 'valibot';
import {type Failure, isFailure} from '../../failure.ts';
import type {Draft} from '../../state/drafts.ts';
import type {JsonObject} from '../../text/json.ts';
import {fields, jsonObject, parseOrUndefined, type Schema} from '../../text/schema.ts';
import type {DraftForm, FormCreator} from '../drafts/form.ts';
import {editingOf, expressionOf} from '../expression-editor/editing.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {isSent, keptForm} from './draft-form.ts';
import {isTouched, type RuleForm, type RuleKind, ruleSteps, toReview} from './rule-form.ts';
import type {RuleFormSlice} from './rule-slice.ts';
import type {FormEnding} from './state.ts';

/** The fields that the drafts of all rules have. */
const common = fields({
	step: picklist(ruleSteps),
	expression: string(),
	action: nullable(string()),
	paused: boolean(),
	/** Whether it was sent, and its outcome was not known. */
	sent: boolean(),
});

/** A rule or filter in a draft, read as an answer of the service is. */
export const readBy = <T>(read: (json: JsonObject) => T): Schema<T> =>
	pipe(
		jsonObject,
		rawTransform(({dataset, addIssue, NEVER}) => {
			try {
				return read(dataset.value);
			} catch (error) {
				if (!isFailure(error)) throw error;
				addIssue({message: error.message});
				return NEVER;
			}
		}),
	);

/** What the drafts of one kind of rule have of their own. */
type KeptRule<Form, Purpose, S extends GenericSchema, Fields = InferOutput<S>> = {
	readonly schema: S;
	fields(form: Form): JsonObject;
	described(fields: Fields): {readonly name: string; readonly description: string};
	/** What the form was opened for. `isRead`: the lists of the zone could be read. */
	purpose(fields: Fields, isRead: boolean): Purpose;
	/** What was typed, in a form that has just begun. */
	restored(begun: Form, fields: Fields, isRead: boolean): Form;
	/** What has changed since it was typed. */
	changedSince(fields: Fields): string | undefined;
};

/** The form of a rule, which keeps drafts until what was entered is in force, or discarded. */
export function keptRuleForm<
	Form extends RuleForm<Purpose, Ending>,
	Purpose,
	Ending extends FormEnding,
	S extends GenericSchema,
>(
	kind: RuleKind<Form, Purpose, Ending>,
	{schema, ...kept}: KeptRule<Form, Purpose, S>,
	...[get, ports]: Parameters<FormCreator>
): DraftForm {
	const {screen, noun, list, draftKind, read} = kind;
	const slice = () => get()[screen] as unknown as RuleFormSlice<Form, Purpose>;

	/** Reads what exists in the zone; returns why it cannot be read. */
	async function readList(zone: OpenedZone, signal: AbortSignal): Promise<Failure | undefined> {
		get().firewall.open(zone);
		get()[list].open(zone);
		try {
			await get()[list].load(signal);
			return undefined;
		} catch (error) {
			if (signal.aborted || !isFailure(error)) throw error;
			return error;
		}
	}

	function parsed(draft: Draft) {
		const both = parseOrUndefined(common, draft.fields);
		const own = parseOrUndefined<InferOutput<S>>(schema, draft.fields);
		return both && own ? {...both, own} : 'A field of the rule is missing, or of another kind.';
	}

	type Parsed = Exclude<ReturnType<typeof parsed>, string>;

	return keptForm<Form, Parsed>(get, ports, {
		form: {kind: draftKind, version: 1},
		screen,
		noun,
		list,
		read,
		isOver: ({phase}) => phase.name === 'ended' && !kind.isUnused(phase.ending),
		isTouched,
		key: ({purpose}) => kind.draftKey(purpose),
		fields: form => ({
			step: form.step,
			expression: expressionOf(form.editing),
			action: form.action ?? null,
			paused: form.about.paused,
			sent: isSent(form),
			...kept.fields(form),
		}),
		parsed,
		described({expression, own}) {
			const {name, description} = kept.described(own);
			return {name, lines: [expression, description].filter(text => text !== '')};
		},
		async restore(zone, {step, expression, action, paused, own}, signal) {
			const unread = await readList(zone, signal);
			const isRead = unread === undefined;
			slice().resume(kept.purpose(own, isRead), zone, begun => {
				const typed: Form = {
					...begun,
					editing: editingOf(expression, zone),
					action: action ?? undefined,
					about: {...begun.about, paused},
					step: kind.steps(begun).includes(step) ? step : begun.step,
				};
				const form = kept.restored(typed, own, isRead);
				return form.step === 'review' ? toReview(kind, form) : form;
			});
			return unread
				? `The rules of ${zone.name} could not be read to compare: ${unread.message}`
				: kept.changedSince(own);
		},
	});
}
