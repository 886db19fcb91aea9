import {
	boolean,
	type GenericSchema,
	type InferOutput,
	nullable,
	optional,
	picklist,
	pipe,
	rawTransform,
	string,
} from 'valibot';
import {Failure, isFailure} from '../../failure.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import type {JsonObject} from '../../text/json.ts';
import {jsonObject, parseOrUndefined, pickFields, type Schema} from '../../text/schema.ts';
import {type DraftFormKind, describeVersionMismatch, type FormCreator} from '../drafts/form.ts';
import {buildZoneTarget, formatTargetPlace} from '../drafts/place.ts';
import {buildZoneFields, getDraftZone} from '../drafts/zone.ts';
import {createExpressionEditing, getTypedExpression} from '../expression-editor/editing.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {createLine} from './about-fields.ts';
import {formatEndText} from './rule-end.ts';
import {isTouched, type RuleForm, type RuleKind, ruleSteps, toReview} from './rule-form.ts';
import type {RuleFormSlice} from './rule-slice.ts';
import {type FormEnding, getRuleFormId} from './state.ts';

/** Draft fields that all kinds of rules share. */
const commonFieldsSchema = pickFields({
	step: picklist(ruleSteps),
	expression: string(),
	action: nullable(string()),
	paused: boolean(),
	/** Drafts of versions without this line lack it. */
	ends: optional(string()),
	/** True if it was sent and the outcome is unknown. */
	sent: boolean(),
});

/** Creates a schema from a reader of service answers, for a rule or filter stored in a draft. */
export const createReadSchema = <T>(read: (json: JsonObject) => T): Schema<T> =>
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

/** The draft fields specific to one kind of rule. */
type RuleDraftFormat<Form, Purpose, S extends GenericSchema, Fields = InferOutput<S>> = {
	readonly schema: S;
	toFields(form: Form): JsonObject;
	describe(fields: Fields): {readonly name: string; readonly description: string};
	/** Returns the purpose of the form. `areListsLoaded`: the lists of the zone could be read. */
	readPurpose(fields: Fields, areListsLoaded: boolean): Purpose;
	/** Puts the stored input into a new form. */
	restore(newForm: Form, fields: Fields, areListsLoaded: boolean): Form;
	/** Describes what changed in the zone since the draft was stored; undefined if nothing did. */
	describeChanges(fields: Fields): string | undefined;
};

/** Creates the form of a rule with drafts, which are kept until the input is active or discarded. */
export function createRuleDraftForm<
	Form extends RuleForm<Purpose, Ending>,
	Purpose,
	Ending extends FormEnding,
	S extends GenericSchema,
>(
	kind: RuleKind<Form, Purpose, Ending>,
	{schema, ...draftFormat}: RuleDraftFormat<Form, Purpose, S>,
	...[get, {session}]: Parameters<FormCreator>
): DraftFormKind {
	const {screen, noun, list, draftKind, getForm} = kind;
	const getSlice = () => get()[screen] as unknown as RuleFormSlice<Form, Purpose>;

	/** Opens and reads the lists of the zone; returns the failure if they cannot be read. */
	async function openAndReadLists(zone: ZoneWithLabel, signal: AbortSignal): Promise<Failure | undefined> {
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

	const form = {kind: draftKind, version: 1} as const;

	const buildFields = (openForm: Form): JsonObject => ({
		step: openForm.step,
		expression: getTypedExpression(openForm.editing),
		action: openForm.action ?? null,
		paused: openForm.aboutFields.paused,
		...(kind.listRows(openForm).includes('ends') && {ends: getBufferText(openForm.aboutFields.ends)}),
		sent: isOutcomeUnknown(openForm),
		...draftFormat.toFields(openForm),
	});

	return {
		kind: draftKind,
		getTrackedState: getForm,
		listOpenForms(state) {
			const openForm = getForm(state);
			if (!openForm) return [];
			const {zone, phase, purpose} = openForm;
			if (phase.name === 'ended' && !kind.isInputUnused(phase.ending)) return [];
			return [
				{
					id: getRuleFormId(screen, openForm),
					getContent: () => JSON.stringify(buildFields(openForm)),
					isWorthKeeping: () => phase.name !== 'asking' || isTouched(openForm),
					buildDraft: instance => ({
						form,
						target: buildZoneTarget(zone, session, get().connection.data),
						label: zone.name,
						key: kind.getDraftKey(purpose),
						instance,
						fields: {...buildZoneFields(zone), ...buildFields(openForm)},
					}),
				},
			];
		},
		offer(draft) {
			if (draft.form.version !== form.version) return describeVersionMismatch(draft);
			const zone = getDraftZone(draft, session);
			if (!zone) return 'It does not name a zone.';
			const commonFields = parseOrUndefined(commonFieldsSchema, draft.fields);
			const kindFields = parseOrUndefined<InferOutput<S>>(schema, draft.fields);
			if (!commonFields || !kindFields) return 'A field of the rule is missing or has the wrong type.';
			const {sent, expression} = commonFields;
			const {name: formName, description} = draftFormat.describe(kindFields);
			const name = `${formName} for ${zone.name}`;
			return {
				name,
				title: `A${/^[aeiou]/.test(name) ? 'n' : ''} ${name} was ${sent ? 'being sent when ledge quit' : 'not sent'}`,
				lines: [
					...[expression, description].filter(text => text !== ''),
					formatTargetPlace(draft.target, session.cwd),
					...(sent ? [unknownOutcomeWarning] : []),
				],
				restoreLabel: 'Resume',
				async restore(signal) {
					const openForm = getForm(get());
					if (openForm && openForm.phase.name !== 'asking')
						throw new Failure('usage', `The ${noun} is still open with an earlier request.`, {
							next: 'Close it first; the draft is kept until then.',
						});
					// The current input becomes a draft, too.
					if (openForm && isTouched(openForm)) get().drafts.release(getRuleFormId(screen, openForm));
					const readFailure = await openAndReadLists(zone, signal);
					const areListsLoaded = readFailure === undefined;
					getSlice().resume(draftFormat.readPurpose(kindFields, areListsLoaded), zone, newForm =>
						restoreForm(newForm, commonFields, kindFields, areListsLoaded, zone),
					);
					get().navigation.openFromHome(list, screen);
					const restoredForm = getForm(get());
					if (restoredForm) get().drafts.adopt(getRuleFormId(screen, restoredForm), draft);
					const changeWarning = readFailure
						? `The rules of ${zone.name} could not be read for comparison: ${readFailure.message}`
						: draftFormat.describeChanges(kindFields);
					const warning = changeWarning ?? (sent ? unknownOutcomeWarning : undefined);
					if (warning !== undefined) get().messages.warn(warning);
				},
			};
		},
	};

	function restoreForm(
		newForm: Form,
		{
			step,
			expression,
			action,
			paused,
			ends = formatEndText(expression),
		}: InferOutput<typeof commonFieldsSchema>,
		kindFields: InferOutput<S>,
		areListsLoaded: boolean,
		zone: ZoneWithLabel,
	): Form {
		const filledForm: Form = {
			...newForm,
			editing: createExpressionEditing(expression, zone),
			action: action ?? undefined,
			aboutFields: {...newForm.aboutFields, paused, ends: createLine(ends)},
			step: kind.listSteps(newForm).includes(step) ? step : newForm.step,
		};
		const restoredForm = draftFormat.restore(filledForm, kindFields, areListsLoaded);
		return restoredForm.step === 'review' ? toReview(kind, restoredForm) : restoredForm;
	}
}

/** True if it was sent and the outcome is unknown. */
const isOutcomeUnknown = ({phase}: RuleForm): boolean =>
	phase.name === 'sending' || (phase.name === 'ended' && phase.ending.state.startsWith('unsure'));

const unknownOutcomeWarning = 'It may be active: check the rules before you send it again.';
