import type {ReactElement} from 'react';
import type {Has} from '../../store/ledge-store.ts';
import {countRows} from '../list/screen.ts';
import {ListWithDetail} from '../list/with-detail.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {versionList, versionsView} from './versions.ts';

export const Versions = (): ReactElement => (
	<ListWithDetail {...versionsView} data={useLedge(({versions}) => versions.data)} />
);

export const formatVersionsStatus = ({versions: {data}}: Has<'versions'>): string =>
	countRows(versionList, data, 'version');
