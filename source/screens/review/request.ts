import {captureWriteRequest} from '../../kv/change/request.ts';
import {buildCallPath, type Call} from '../../service/call.ts';
import type {Session} from '../../session/session.ts';
import {getLocalFolder} from '../../state/job-record.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {Review} from './state.ts';

/**
 * Describes the request that the review will send: method, address, headers without the credential, and the
 * size of the body. Never shows the value.
 */
export async function buildRequestLines(
	{connection: {data: connection}}: StateWith<'connection'>,
	session: Session,
	{target, proposal, finding}: Pick<Review, 'target' | 'proposal' | 'finding'>,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const {place, account = '', namespace = ''} = target;
	const folder = getLocalFolder(place);
	if (folder !== undefined) return describeLocalWrite(folder, proposal);
	const {baseUrl} = await session.client();
	const call = await captureWriteRequest({account, namespace}, proposal, finding?.check.stored, signal);
	const credentialHeaders =
		connection?.credential?.kind === 'key' ? 'X-Auth-Email, X-Auth-Key' : 'Authorization';
	return [
		`${call.method} ${baseUrl}${buildCallPath(call)}`,
		`${credentialHeaders}: the current credential, not shown`,
		`User-Agent: ledge/${LEDGE_VERSION}`,
		...describeRequestBody(call),
	];
}

function describeRequestBody({body}: Call): readonly string[] {
	switch (body?.kind) {
		case 'bytes':
			return [
				'Content-Type: application/octet-stream',
				`body: the value, ${formatQuantity(body.bytes.length, 'byte')}, not shown`,
			];
		case 'value':
			return [
				'Content-Type: multipart/form-data',
				`part "value": ${formatQuantity(body.bytes.length, 'byte')}, not shown`,
				`part "metadata": ${JSON.stringify(body.metadata)}`,
			];
		default:
			return ['no body'];
	}
}

function describeLocalWrite(root: string, {kind, key, mine}: Review['proposal']): readonly string[] {
	const effect =
		kind === 'put'
			? `writes a blob of ${formatQuantity(mine?.bytes.length ?? 0, 'byte')}, and the row that names it`
			: 'deletes the row, then its blob';
	return ['No request: local data is written to this disk.', `folder: ${root}`, `key: ${key}`, effect];
}
