import {array, boolean, type InferOutput, nullable, optional, string} from 'valibot';
import {isIdenticalRule} from '../../rulesets/difference.ts';
import {readRulesetRule} from '../../rulesets/ruleset.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {isJsonObject} from '../../text/json.ts';
import {pickFields} from '../../text/schema.ts';
import type {FormCreator} from '../drafts/form.ts';
import {hasLoaded} from '../list/reading.ts';
import {getListedRules} from '../rulesets/rule-list.ts';
import {createLines} from '../stepped-form/about-fields.ts';
import {createReadSchema, createRuleDraftForm} from '../stepped-form/rule-draft.ts';
import {getRateLimitTexts} from './draft.ts';
import type {RulesetKind} from './kind.ts';
import {type RulesetEnding, type RulesetForm, type RulesetPurpose, rebaseRulesetForm} from './state.ts';

const schema = pickFields({
	/** The changed or copied rule, as it was when the form was opened. */
	base: nullable(
		createReadSchema(({more, ...rule}) => readRulesetRule({...rule, ...(isJsonObject(more) && more)})),
	),
	isChange: boolean(),
	skipped: array(string()),
	lines: pickFields({place: string(), description: string(), status: string(), body: string()}),
	type: string(),
	logged: boolean(),
	/** The lines of a rate limit. */
	limit: optional(
		pickFields({
			requests: string(),
			period: string(),
			characteristics: string(),
			timeout: string(),
			counting: string(),
		}),
	),
});

/** Creates the form of a custom rule or a rate limit with drafts, which are kept until the input is active or discarded. */
export const createRulesetDraftForm =
	(kind: RulesetKind): FormCreator =>
	(get, ports) => {
		const {list, noun} = kind;
		/**
		 * Finds the current version of the changed rule, and whether it is the same. Undefined for a new rule, or
		 * if the rules were not read.
		 */
		function compareWithCurrentRule({purpose}: Pick<RulesetForm, 'purpose'>) {
			const {data} = get()[list];
			if (purpose.kind !== 'change' || !data || !hasLoaded(data)) return undefined;
			const {id} = purpose.rule;
			const current = getListedRules(data).find(rule => rule.id === id);
			return {
				rule: current && {...current, id},
				isSame: current !== undefined && isIdenticalRule(current, purpose.rule),
			};
		}

		const readPurpose = ({
			base,
			isChange,
		}: Pick<InferOutput<typeof schema>, 'base' | 'isChange'>): RulesetPurpose => {
			if (isChange && base?.id !== undefined) return {kind: 'change', rule: {...base, id: base.id}};
			return {kind: 'new', ...(base && {copyOf: base})};
		};

		return createRuleDraftForm<RulesetForm, RulesetPurpose, RulesetEnding, typeof schema>(
			kind,
			{
				schema,
				toFields(form) {
					const {type, purpose, chosenNames, aboutFields} = form;
					const base = purpose.kind === 'change' ? purpose.rule : purpose.copyOf;
					return {
						base: base ?? null,
						isChange: purpose.kind === 'change',
						skipped: chosenNames,
						lines: {
							place: getBufferText(aboutFields.order),
							description: getBufferText(aboutFields.description),
							status: getBufferText(aboutFields.status),
							body: getBufferText(aboutFields.body),
						},
						type: aboutFields.type,
						logged: aboutFields.logged,
						...(type.listScreen === 'rateLimits' && {limit: getRateLimitTexts(form)}),
					};
				},
				describe: ({isChange, lines}) => ({
					name: isChange ? `${noun} change` : noun,
					description: lines.description,
				}),
				readPurpose,
				restore(newForm, {skipped, lines: {place, ...lines}, type, logged, limit}, areListsLoaded) {
					const form: RulesetForm = {
						...newForm,
						chosenNames: skipped,
						aboutFields: {
							...newForm.aboutFields,
							...createLines({order: place, ...lines, ...limit}),
							type,
							logged,
						},
					};
					const comparison = areListsLoaded ? compareWithCurrentRule(form) : undefined;
					return comparison?.rule && !comparison.isSame
						? rebaseRulesetForm(form, comparison.rule, form.ruleset)
						: form;
				},
				describeChanges(draft) {
					const comparison = compareWithCurrentRule({purpose: readPurpose(draft)});
					if (!comparison || comparison.isSame) return undefined;
					return comparison.rule
						? 'The rule was changed after this draft was saved. Your changes are kept; the rest shows the current rule.'
						: 'The rule no longer exists: it was deleted after this draft was saved.';
				},
			},
			get,
			ports,
		);
	};
