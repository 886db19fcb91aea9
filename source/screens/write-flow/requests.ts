import {formatQuantity} from '../../text/figures.ts';
import {buildTextRows, buildVerbatimRows, joinWithBlankRows, type Row} from '../rows/rows.ts';
import type {Connection} from '../shell/connection-slice.ts';
import {formatCurlCommand, type WriteRequest} from './curl.ts';

type ReviewedRequests = {
	readonly requests: readonly WriteRequest[];
	readonly shows: 'requests' | 'curl';
	/** Why they cannot be sent. */
	readonly obstacle?: string | undefined;
	/** Note about them: "the second one only if the first succeeds". */
	readonly note?: string | undefined;
	/** Spaces that bodies are indented by; 2 if undefined. */
	readonly indent?: number | undefined;
};

/** Builds rows that show each request exactly as it will be sent, below a note. */
export function buildRequestRows(
	review: ReviewedRequests,
	connection: Connection | undefined,
	columns: number,
): readonly Row[] {
	const {requests, shows, obstacle, indent = 2} = review;
	if (requests.length === 0)
		return buildTextRows(obstacle ?? 'No differences, so nothing to send.', columns, 'dim');
	const requestBlocks = requests.map((request, index) => {
		if (shows === 'curl') return buildVerbatimRows(formatCurlCommand(request, connection), columns);
		const numberPrefix = requests.length > 1 ? `${index + 1}  ` : '';
		const body = request.body === undefined ? [] : JSON.stringify(request.body, null, indent).split('\n');
		return [
			...buildVerbatimRows(`${numberPrefix}${request.method} ${request.path}`, columns, 'here'),
			...body.flatMap(line => buildVerbatimRows(`${' '.repeat(numberPrefix.length)}${line}`, columns)),
		];
	});
	const haveNoBodies = requests.every(({body}) => body === undefined);
	return joinWithBlankRows(
		buildTextRows(describeRequests(review), columns, 'dim'),
		...(haveNoBodies ? [requestBlocks.flat()] : requestBlocks),
	);
}

function describeRequests({requests: {length: count}, shows, obstacle, note}: ReviewedRequests): string {
	const requestsText = count === 1 ? 'The request' : formatQuantity(count, 'request');
	if (obstacle !== undefined)
		return `${requestsText}${shows === 'curl' ? ', as curl' : ''}, which can't be sent now:`;
	if (shows === 'curl') return 'As curl; the credential comes from the environment:';
	const subject = `${requestsText}, exactly as ${count === 1 ? 'it' : 'they'}`;
	return `${subject} will be sent${note === undefined ? '' : `, ${note}`}:`;
}
