import {wrapParagraphs} from '../../components/paragraphs.ts';
import type {Theme} from '../../components/theme.ts';
import {findEnd} from '../../firewall/rules/end-time.ts';
import {clipLines} from '../../text/wrap.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import {buildMarkedRows, buildTextRows, joinWithBlankRows, type Row} from '../rows/rows.ts';
import type {Connection} from '../shell/connection-slice.ts';
import {buildRequestRows} from '../write-flow/requests.ts';
import {describeEnd} from './rule-end.ts';
import {type AnyRuleKind, findFormObstacle, type RuleForm} from './rule-form.ts';

type RuleReview = {
	readonly rows: readonly Row[];
	/** Number of rows up to the end of the requests. */
	readonly requestEnd: number;
};

/**
 * Builds the review: the effect, warnings and findings, affected rules, each request with its complete body,
 * and what the rule does not protect against.
 */
export function buildRuleReviewRows(
	kind: AnyRuleKind,
	form: RuleForm,
	connection: Connection | undefined,
	columns: number,
	marks: Pick<Theme['marks'], 'failed' | 'warning' | 'dot'>,
): RuleReview {
	const width = columns - 6;
	const {requests = [], shows} = form;
	const {summary, changes, warnings, concerns, limits = []} = kind.describeReview(form);
	const end = findEnd(form.filter ? (form.filter.expression ?? '') : getTypedExpression(form.editing));
	const obstacle = findFormObstacle(kind, form);
	const zoneNameReasons = obstacle === undefined ? kind.listZoneNameReasons(form) : [];
	const introRows = [
		...clipLines(wrapParagraphs(summary, width, 2), 3).map((text): Row => [{text, look: 'here'}]),
		...buildTextRows(changes, width),
		...kind.listFindings(form).flatMap(({about, severity, sentence, failure: {details}}) => {
			const isError = severity === 'error';
			// The text field marks the position of expression problems.
			const reason = details.why && about !== 'expression' ? ` ${details.why}` : '';
			const mark = isError ? marks.failed : marks.warning;
			return buildMarkedRows(mark, `${sentence}${reason}`, width, isError ? 'danger' : 'warning');
		}),
		...warnings.flatMap(text => buildMarkedRows(marks.warning, text, width, 'warning')),
		...(end === undefined ? [] : buildTextRows(describeEnd(end), width)),
		...(zoneNameReasons.length > 0
			? buildMarkedRows(
					marks.warning,
					`${zoneNameReasons.join(' ')} y asks for the zone's name.`,
					width,
					'warning',
				)
			: []),
		...buildTextRows(concerns, width, 'plain', 2),
	];
	const mainRows = joinWithBlankRows(
		introRows,
		buildRequestRows(
			{
				requests,
				shows,
				obstacle,
				note: requests.length > 1 ? 'the second is sent only if the first succeeds' : undefined,
				indent: kind.indent,
			},
			connection,
			width,
		),
	);
	if (limits.length === 0) return {rows: mainRows, requestEnd: mainRows.length};
	const limitRows = [
		...buildTextRows('It does NOT protect against:', width, 'danger'),
		...limits.flatMap(({text, look}) => buildMarkedRows(marks.dot, text, width, look)),
	];
	return {rows: joinWithBlankRows(mainRows, limitRows), requestEnd: mainRows.length};
}
