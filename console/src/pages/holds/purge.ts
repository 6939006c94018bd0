// The record of purges as the API has it.
export interface PurgedVersion {
  id: string;
  routing?: string;
  how: 'expired' | 'out_of_trash' | 'removed' | 'erased';
  written_at: string;
  ended_at: string;
  by: string | null;
}

export interface PurgeRecord {
  number: number;
  purged_at: string;
  versions: PurgedVersion[];
  previous: string;
  hash: string;
}

export interface PurgePage {
  records: PurgeRecord[];
  intact: boolean;
  has_more: boolean;
}

export const how_text: Record<PurgedVersion['how'], string> = {
  expired: 'expired',
  out_of_trash: 'its time in the trash was over',
  removed: 'removed for good',
  erased: 'erased from the trash',
};
