import {sameCustomRule, sameRuleWarning} from '../../firewall/rules/custom-rule-settings.ts';
import {doing} from '../../firewall/rules/custom-rule-words.ts';
import {skippable} from '../../firewall/rules/skip.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import {type RuleKind, ruleSteps} from '../stepped-form/rule-form.ts';
import {aboutActions, aboutProducts} from '../stepped-form/words.ts';
import {
	findingsOf,
	nameReasonsOf,
	neighboursOf,
	placeOf,
	requestsOf,
	ruleOf,
	rulesThere,
	whyNotAction,
	whyNotSkip,
} from './draft.ts';
import {
	backFrom,
	customChoicesOf,
	customOnward,
	isUnused,
	lastWordsOf,
	leavingLines,
	outcomeOf,
	sentenceOf,
} from './ending.ts';
import {describeReview} from './review.ts';
import type {CustomEnding, CustomForm, CustomPurpose} from './state.ts';

const ownAnswer = 'of the answer that blocked requests get';

/** Custom rules. */
export const customRuleKind: RuleKind<CustomForm, CustomPurpose, CustomEnding> = {
	screen: 'customRule',
	list: 'customRules',
	key: 'n',
	group: 'Custom rule',
	noun: 'custom rule',
	draftKind: 'custom rule',
	read: state => state.customRule.data,
	draftKey(purpose) {
		if (purpose.kind === 'change') return `change ${purpose.rule.id}`;
		return purpose.copyOf ? `copy of ${purpose.copyOf.id ?? ''}` : 'new';
	},
	path: ({zone, purpose}) => ['custom rules', zone.name, purpose.kind === 'new' ? 'new rule' : 'change rule'],
	steps: () => ruleSteps,
	stepName: (_, step) => (step === 'about' ? 'place' : step),
	rows: ({action, purpose}) => [
		...(purpose.kind === 'new' ? (['order'] as const) : []),
		'description',
		'paused',
		...(action === 'skip' ? (['logged'] as const) : []),
		...(action === 'block' ? (['status', 'type', 'body'] as const) : []),
	],
	order: 'place',
	hints: form => ({
		order: `1 to ${rulesThere(form).length + 1}; empty is the last place`,
		status: `400 to 499, ${ownAnswer}; empty with an empty body: the service's own page`,
		type: `${ownAnswer}; space changes it`,
		body: ownAnswer,
	}),
	orderProblem(form) {
		const place = placeOf(form);
		return typeof place === 'object' ? place.problem : undefined;
	},
	neighbours(form) {
		const {before, after, place, of} = neighboursOf(form);
		return {
			before: before && inShort(before),
			own: `${form.action ?? ''}   number ${place} of ${of}`,
			after: after && inShort(after),
		};
	},
	actions: {
		block: 'refuses the request, with an answer of its own if you like',
		managed_challenge: aboutActions.managed_challenge,
		js_challenge: aboutActions.js_challenge,
		challenge: aboutActions.challenge,
		log: aboutActions.log,
		skip: 'lets it past rules and products that you choose next',
	},
	ownAction: ({purpose}) => (purpose.kind === 'change' ? purpose.rule.action : undefined),
	whyNotAction,
	chooser: {
		action: 'skip',
		title: 'What the request is let past; space chooses.',
		names: skippable,
		about: {
			remaining: 'the custom rules after this one',
			'rate-limits': 'rate limiting rules',
			'bot-fight-mode': 'Super Bot Fight Mode',
			'managed-rules': 'managed rules',
			...aboutProducts,
		},
		none: 'Choose what is skipped: space chooses it.',
		whyNot: whyNotSkip,
	},
	isSameExpression: ({purpose, editing}) =>
		purpose.kind === 'change' && purpose.rule.expression === expressionOf(editing),
	findings: findingsOf,
	requests: requestsOf,
	obstacle: form =>
		form.purpose.kind === 'change' &&
		!rulesThere(form).some(({id}) => 'rule' in form.purpose && id === form.purpose.rule.id)
			? 'The rule is gone: it was deleted elsewhere.'
			: undefined,
	review: describeReview,
	warning(form) {
		const rule = form.purpose.kind === 'new' ? ruleOf(form) : undefined;
		const same = rule && sameCustomRule(rule, rulesThere(form));
		return same && sameRuleWarning(same);
	},
	label: ({purpose}) => (purpose.kind === 'new' ? 'creating a custom rule' : 'changing a custom rule'),
	subject: () => ({kind: 'custom rules'}),
	firstDoing: () => 'rule',
	describeWrite(form) {
		if (form.purpose.kind === 'change') return `update custom rule ${form.purpose.rule.id}`;
		const rule = ruleOf(form);
		return `create custom rule${rule ? ` (${doing(rule)})` : ''}`;
	},
	nameReasons: nameReasonsOf,
	changes: () => ({changes: undefined, made: undefined}),
	isUnused,
	isKept: () => false,
	sentence: sentenceOf,
	outcome: outcomeOf,
	choices: customChoicesOf,
	onward: customOnward,
	backFrom,
	leavingLines,
	leftSentence: form => (form.phase.name === 'ended' ? sentenceOf(form, form.phase.ending) : undefined),
	lastWords: lastWordsOf,
};

/** Formats a rule in a line. Raw text. */
const inShort = (rule: RulesetRule): string =>
	[doing(rule), ...(rule.enabled === false ? ['paused'] : []), rule.description || rule.expression].join(
		'   ',
	);
