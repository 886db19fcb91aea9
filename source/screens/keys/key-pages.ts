import {Pages} from '../../kv/key-index/pages.ts';
import type {Session} from '../../session/session.ts';
import {openStateDirectory} from '../../state/directory.ts';

/** About 250,000 keys with names of 20 bytes. */
const maxBytesInMemory = 8_000_000;

/** Creates the storage of key lists: memory first, then a file in the state directory. */
export const createKeyPages = ({env}: Pick<Session, 'env'>, warn: (text: string) => void): Pages =>
	new Pages({
		maxBytes: maxBytesInMemory,
		directory: () => openStateDirectory(env),
		onFailure: ({message}) => warn(`All keys stay in memory, 40 MB per million. ${message}`),
	});
