#!/bin/bash
# Twenty machines' worth of workers; they end when there is nothing left to do. Submit with `sbatch slurm.sh`.
#SBATCH --job-name=tesuji
#SBATCH --array=1-20
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=16
#SBATCH --time=04:00:00
#SBATCH --signal=INT@60

export TESUJI_STORE='postgres://cluster@db.example/tesuji'
export TESUJI_STORE_PASSWORD_FILE="$HOME/.tesuji-password"
exec tesuji worker --parallel "$SLURM_CPUS_PER_TASK" --until-done --name "slurm-$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID"
